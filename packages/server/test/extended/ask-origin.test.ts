import { describe, expect, test } from "vitest";
import { scenario } from "../scenario.js";
import { type Introduction, meetExtended } from "./extended-client.js";

const colour = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
const deploy = { action: "deploy", description: "Deploy build 42" };
const origin = { host: "Claude Code", folder: "/work/app", tool: "Bash", subagent: "explore" };

async function programAndPerson() {
  const set = scenario([]);
  const session = set.server.createSession();
  const join = async (said: Introduction) => (await meetExtended(set, { session }, said)).client;
  const program = await join({ name: "bridge", question: false });
  return { session, join, program, person: await join({ name: "person" }) };
}

describe("the origin of an ask (P-XAK-12)", () => {
  test.each([
    ["questions", "QuestionRequest", { questions: colour }],
    ["an approval", "ApprovalRequest", { approval: deploy }],
  ])(
    "people are shown where %s come from, without what a later version says of it",
    async (_, type, what) => {
      const { program, person } = await programAndPerson();
      void program.call("ask", { key: "k", ...what, origin: { ...origin, of_a_later_version: true } });
      const request = await person.asked(type);
      expect(request.params?.payload.program).toEqual({
        ...{ key: "k", name: "bridge", connection: expect.any(String) },
        origin,
      });
    },
  );

  test("an ask without an origin, or with an empty one, has none", async () => {
    const { program, person } = await programAndPerson();
    void program.call("ask", { key: "a", questions: colour });
    void program.call("ask", { key: "b", questions: colour, origin: {} });
    for (const nth of [1, 2]) {
      const request = await person.asked("QuestionRequest", nth);
      expect(request.params?.payload.program).not.toHaveProperty("origin");
    }
  });

  test.each<[string, object, string]>([
    ["an empty host", { host: "" }, "origin.host"],
    ["a host that is no text", { host: 7 }, "origin.host"],
    ["a host that is too long", { host: "h".repeat(129) }, "origin.host"],
    ["a folder that is too long", { folder: "f".repeat(1_025) }, "origin.folder"],
    ["an empty tool", { tool: "" }, "origin.tool"],
    ["a sub-agent that is null", { subagent: null }, "origin.subagent"],
  ])(
    "an origin that does not fit is refused with its place, and nobody is asked: %s",
    async (_, of, place) => {
      const { program, session } = await programAndPerson();
      const { error } = await program.call("ask", { key: "k", questions: colour, origin: of });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining(place)]);
      expect(session.pending).toEqual([]);
    },
  );

  test("questions under a key are the same wherever they come from, and stay of their first origin", async () => {
    const { program, person, session } = await programAndPerson();
    void program.call("ask", { key: "k", questions: colour, origin });
    const request = await person.asked("QuestionRequest");
    void program.call("ask", { key: "k", questions: colour, origin: { folder: "/elsewhere" } });
    void program.call("ask", { key: "k", questions: colour });
    await program.settled();
    expect(session.pending).toHaveLength(1);
    expect(request.params?.payload).toMatchObject({ program: { origin } });
  });

  test("an approval of another place under a key is another approval, and is refused", async () => {
    const { program, person, session } = await programAndPerson();
    void program.call("ask", { key: "k", approval: deploy, origin });
    await person.asked("ApprovalRequest");
    for (const more of [{}, { origin: { ...origin, folder: "/elsewhere" } }]) {
      const { error } = await program.call("ask", { key: "k", approval: deploy, ...more });
      expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining("key: ")]);
    }
    void program.call("ask", { key: "k", approval: deploy, origin: { ...origin } });
    await program.settled();
    expect(session.pending).toHaveLength(1);
  });

  test.each<[string, object, boolean]>([
    ["its tool and sub-agent", { tool: "Write", subagent: "plan" }, true],
    ["its folder", { folder: "/elsewhere" }, false],
    ["its host", { host: "Codex" }, false],
  ])(
    "a decision for the session is that of one host and folder: one that differs in %s",
    async (_, more, isCovered) => {
      const { program, person } = await programAndPerson();
      const first = program.call("ask", { key: "a", approval: deploy, origin });
      await person.answer(await person.asked("ApprovalRequest"), { response: "approve_for_session" });
      await first;
      const second = program.call("ask", { key: "b", approval: deploy, origin: { ...origin, ...more } });
      if (isCovered) {
        expect((await second).result).toMatchObject({ outcome: { by: "policy" }, response: "approve" });
      } else {
        const request = await person.asked("ApprovalRequest", 2);
        expect(request.params?.payload).toMatchObject({ program: { origin: { ...origin, ...more } } });
      }
    },
  );
});
