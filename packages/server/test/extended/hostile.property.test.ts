import * as fc from "fast-check";
import { expect, test } from "vitest";
import { drivenClock } from "../driven-clock.js";
import type { Message } from "../raw-client.js";
import { approval, everything, introduction, items, question, twoAsked } from "./extended-client.js";

const json = fc.jsonValue({ maxDepth: 3 });
const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
/** A value for a place: most often a plausible one, sometimes anything. */
const mostly = <T>(meant: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: meant }, { weight: 1, arbitrary: json as fc.Arbitrary<unknown> });
const some = (members: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) =>
  fc.record(members, { requiredKeys: required });

const image = oneOf("data:image/png;base64,AA==", "data:image/png;base64,", "data:,", "http://x/y.png", "");
const part = some({
  type: mostly(oneOf("image_url", "text", "video_url", "nothing")),
  image_url: mostly(some({ url: mostly(image), id: oneOf(null, "x") })),
  text: json,
});
const item = some({
  question_id: mostly(oneOf("colour", "extras", "q1", "__proto__", "")),
  selected: mostly(
    fc.array(mostly(oneOf("red", "blue", "bell", "light", "Red", "__proto__")), { maxLength: 4 }),
  ),
  own_text: mostly(oneOf("", " ", "green", "\ud800", "\u0000")),
  skipped: mostly(fc.boolean()),
  note: mostly(oneOf("", "so")),
  attachments: mostly(fc.array(mostly(part), { maxLength: 3 })),
});
const outcome = some({
  status: mostly(oneOf("answered", "declined", "expired", "withdrawn", "maybe", "__proto__")),
  reason: mostly(oneOf("dismissed", "discuss", "deadline", "")),
  note: mostly(oneOf("", "x")),
  by: oneOf("human", "timer"),
  at: json,
});
const said = some({
  answer_id: mostly(oneOf("a", "b", "", "x".repeat(129))),
  outcome: mostly(outcome),
  items: mostly(fc.array(mostly(item), { maxLength: 4 })),
  response: mostly(oneOf("approve", "reject", "approve_for_session", "maybe")),
  feedback: mostly(oneOf("", "no")),
});

const refusals = [-32602, -32010, -32013, -32014, -32020];

/** Either it counted, and its outcome is a person's, or it was refused with a code that says why. */
function read({ result, error }: Message): boolean {
  if (error === undefined) {
    expect(result?.outcome).toMatchObject({ by: "human", client: { name: "one" } });
    expect(result?.outcome).toMatchObject({ status: expect.stringMatching(/^(answered|declined)$/) });
    return true;
  }
  expect(refusals).toContain(error.code);
  if (error.code === -32013) expect((error.data as { issues: unknown[] }).issues.length).toBeGreaterThan(0);
  return false;
}

test("whatever an answer says, it counts or is refused by its code, and only one that counts settles (P-XAN-2 to P-XAN-5)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (attempts, asksApproval) => {
        const made = () => [asksApproval ? approval() : question()];
        const set = await twoAsked(made, { clock: drivenClock() });
        const [request] = set.opened;
        let counted = false;
        for (const attempt of attempts) {
          const answer = {
            request_id: set.asked.id,
            answer_id: "a",
            outcome: { status: "answered" },
            ...(attempt as object),
          };
          counted = read(await set.one.call("answer", answer)) || counted;
          expect(request?.resolved).toBe(counted);
        }
        if (!counted) {
          const right = asksApproval ? { response: "approve" } : { items };
          expect((await set.two.answer(set.asked, right)).error).toBeUndefined();
        }
        expect((await set.prompt).result).toEqual({ status: "finished" });
        expect(set.two.events("InteractionSettled")).toHaveLength(1);
      },
    ),
    { numRuns: 60 },
  );
});

const shows = some({
  revision: mostly(oneOf(1, 2)),
  ...Object.fromEntries(Object.keys(everything).map((key) => [key, mostly(fc.boolean())])),
});
const params = some({
  protocol_version: mostly(oneOf("1.10", "", "x")),
  client: mostly(some({ name: mostly(oneOf("x", "")), version: json })),
  external_tools: json,
  hooks: json,
  capabilities: mostly(some({ supports_question: mostly(fc.boolean()), askwire: mostly(shows) })),
  session: mostly(
    some({ id: mostly(oneOf("x")), stream: mostly(oneOf("x", null)), after_seq: mostly(oneOf(0, -1, 1.5)) }),
  ),
});

test("whatever initialize says, it is taken or refused by its code, and the others and the question continue (P-XNG-1, P-XAT-2)", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(params, { minLength: 1, maxLength: 5 }), async (attempts) => {
      const set = await twoAsked(undefined, { clock: drivenClock() });
      const { client } = set.connect({ session: set.session });
      for (const attempt of attempts) {
        const { error } = await client.call("initialize", attempt);
        if (error !== undefined) expect([-32602, -32011, -32012]).toContain(error.code);
      }
      expect((await client.call("initialize", introduction())).error).toBeUndefined();
      expect((await set.two.answer(set.asked, { items })).error).toBeUndefined();
      expect((await set.prompt).result).toEqual({ status: "finished" });
    }),
    { numRuns: 50 },
  );
});
