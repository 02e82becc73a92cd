import { describe, expect, test } from "vitest";

const script = new URL("../../../../scripts/conversations.mjs", import.meta.url).href;
const { hold, readRecording, recordingNames } = await import(script);
const names: string[] = await recordingNames();

describe.concurrent("the recorded conversations of the base wire", () => {
  test.each(names)(
    "the recorded conversation %s is repeated byte for byte",
    { timeout: 120_000 },
    async (name) => {
      const recorded: string = await readRecording(name);
      expect(await hold(recorded)).toBe(recorded);
    },
  );
});
