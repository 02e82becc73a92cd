import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { type ForeignLibrary, foreignLibraries, type Told } from "./clients/foreign-libraries.js";

const agent = fileURLToPath(new URL("../../../examples/test/drives/asking-agent.mjs", import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** An agent whose client is of this library, introduced, with all that it was told in words. */
async function meet(library: ForeignLibrary, answer: (asked: Told) => unknown) {
  const child = spawn(process.execPath, [agent], { stdio: ["pipe", "pipe", "ignore"] });
  children.push(child);
  const story: string[] = [];
  const call = library(child, {
    event: ({ type, payload }) => void story.push(type === "ContentPart" ? String(payload.text) : type),
    request(asked) {
      story.push(`ask ${asked.type}`);
      return answer(asked);
    },
  });
  const client = { name: "a foreign client", version: "1" };
  const capabilities = { supports_question: true };
  const introduced = await call("initialize", { protocol_version: "1.10", client, capabilities });
  expect(introduced).toMatchObject({ protocol_version: "1.10" });
  /** Has the agent ask this, and gives what it says about the ending. */
  const ask = async (asked: object) => {
    expect(await call("prompt", { user_input: JSON.stringify(asked) })).toEqual({ status: "finished" });
    expect(story.at(-1)).toBe("TurnEnd");
    return JSON.parse(story.at(-2) ?? "");
  };
  const end = async () => {
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  };
  return { call, ask, end, story };
}

const text = "Which colour, für dich?";
const question = { questions: [{ question: text, options: [{ label: "Red" }, { label: "Blue" }] }] };
const approval = { sender: "Painter", action: "paint", description: "Paint it blue" };

describe.each(Object.entries(foreignLibraries))("%s, unchanged, as a client of an agent", (name, library) => {
  test(`${name} is asked a question, answers it, and approves (P-FRM-5, P-ANS-2, P-APR-1)`, async () => {
    const { ask, end, story } = await meet(library, ({ type, payload: { id: request_id } }) =>
      type === "QuestionRequest"
        ? { request_id, answers: { [text]: "Blue" } }
        : { request_id, response: "approve" },
    );
    expect(await ask(question)).toMatchObject({
      status: "answered",
      told: { items: [{ question_id: "q1", selected: ["q1_o2"] }] },
    });
    expect(story.slice(0, 2)).toEqual(["TurnBegin", "ask QuestionRequest"]);
    expect(await ask(approval)).toMatchObject({ status: "answered", told: { response: "approve" } });
    expect(story).toContain("ask ApprovalRequest");
    await end();
  });

  test(`${name} whose handler throws has failed, and its person has neither dismissed nor rejected anything (P-ANS-5)`, async () => {
    const { ask, end } = await meet(library, () => {
      throw new Error("window is not defined");
    });
    for (const asked of [question, approval]) {
      const { status, reason, note } = await ask(asked);
      expect({ status, reason }).toEqual({ status: "unavailable", reason: "protocol_error" });
      expect(note).toMatch(/window is not defined|Internal error/);
    }
    await end();
  });

  test(`${name} dismisses a question by an empty answer, and rejects an approval in words (P-ANS-1, P-APR-1)`, async () => {
    const { ask, end } = await meet(library, ({ type, payload: { id: request_id } }) =>
      type === "QuestionRequest" ? { request_id, answers: {} } : { request_id, response: "reject" },
    );
    expect(await ask(question)).toMatchObject({ status: "declined", reason: "dismissed" });
    expect(await ask(approval)).toMatchObject({ status: "answered", told: { response: "reject" } });
    await end();
  });

  test(`${name} cancels a turn whose question is open, and is told its mistakes under their own ids (P-TRN-6, P-ERR-1)`, async () => {
    const { promise: open, resolve } = deferred();
    const { call, end, story } = await meet(library, () => {
      resolve();
      return new Promise(() => {});
    });
    const prompt = call("prompt", { user_input: JSON.stringify(question) });
    await open;
    expect(await call("cancel")).toEqual({});
    expect(await prompt).toEqual({ status: "cancelled" });
    expect(story.at(-1)).toBe("TurnEnd");
    await expect(call("cancel")).rejects.toMatchObject({ code: -32000 });
    await expect(call("nope")).rejects.toMatchObject({ code: -32601 });
    await end();
  });
});
