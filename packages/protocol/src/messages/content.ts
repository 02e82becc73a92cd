import * as z from "zod/mini";

const media = z.looseObject({ url: z.string(), id: z._default(z.nullable(z.string()), null) });

/** The content parts of Wire 1.10, by their `type`. */
export const contentParts = {
  text: z.looseObject({ type: z.literal("text"), text: z.string() }),
  think: z.looseObject({
    type: z.literal("think"),
    think: z.string(),
    encrypted: z._default(z.nullable(z.string()), null),
  }),
  image_url: z.looseObject({ type: z.literal("image_url"), image_url: media }),
  audio_url: z.looseObject({ type: z.literal("audio_url"), audio_url: media }),
  video_url: z.looseObject({ type: z.literal("video_url"), video_url: media }),
} as const;

/** A piece of what a person or a model said. An unknown `type` is invalid (P-MSG-4). */
export const ContentPart = z.discriminatedUnion("type", [
  contentParts.text,
  contentParts.think,
  contentParts.image_url,
  contentParts.audio_url,
  contentParts.video_url,
]);
export type ContentPart = z.output<typeof ContentPart>;
export type ContentPartInput = z.input<typeof ContentPart>;

/** What a person says: plain text or content parts. Empty is allowed. */
export const UserInput = z.union([z.string(), z.array(ContentPart)]);
export type UserInput = z.output<typeof UserInput>;
