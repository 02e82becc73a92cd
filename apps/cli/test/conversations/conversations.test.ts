import { describe, expect, test } from "vitest";

const script = new URL("../../../../scripts/conversations.mjs", import.meta.url).href;
const { hold, readRecording, recordingNames } = await import(script);
const names: string[] = await recordingNames();

describe.concurrent("a recorded conversation of the base wire is held again byte for byte", () => {
  test.each(names)("%s", { timeout: 120_000 }, async (name) => {
    const recorded: string = await readRecording(name);
    expect(await hold(recorded)).toBe(recorded);
  });
});
