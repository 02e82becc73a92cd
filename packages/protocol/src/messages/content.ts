import * as z from "../zod.js";
import { nullable } from "./fields.js";

const media = z.looseObject({ url: z.string(), id: nullable(z.string()) });

/** The content parts of Wire 1.10, by their `type`. */
export const contentParts = {
  text: z.looseObject({ type: z.literal("text"), text: z.string() }),
  think: z.looseObject({
    type: z.literal("think"),
    think: z.string(),
    encrypted: nullable(z.string()),
  }),
  image_url: z.looseObject({ type: z.literal("image_url"), image_url: media }),
  audio_url: z.looseObject({ type: z.literal("audio_url"), audio_url: media }),
  video_url: z.looseObject({ type: z.literal("video_url"), video_url: media }),
} as const;

/** A piece of a message by a person or a model. An unknown `type` is invalid (P-MSG-4). */
export const ContentPart = z.union([
  contentParts.text,
  contentParts.think,
  contentParts.image_url,
  contentParts.audio_url,
  contentParts.video_url,
]);
export type ContentPart = z.output<typeof ContentPart>;
/** A content part to send: fields that may be null may be left out. */
export type ContentPartInput = z.input<typeof ContentPart>;

/** A person's words: plain text or content parts. May be empty. */
export const UserInput = z.union([z.string(), z.array(ContentPart)]);
export type UserInput = z.output<typeof UserInput>;
