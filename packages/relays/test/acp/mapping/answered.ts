import { expect } from "vitest";
import { type Agent, form, parts, type Row, text } from "./row.js";

/** Prompts with a part, and expects the block that the agent gets. */
const prompted = (part: object, block: object) => async (agent: Agent) => {
  await agent.session.prompt([{ type: "text", text: '[["prompt"]]' }, part as never]).result;
  const [said] = parts(agent) as { text: string }[];
  expect(JSON.parse(said?.text ?? "")[1]).toEqual(block);
};

/** Asks a permission with options of all kinds, and expects the one that is chosen. */
const permitted = (optionId: string, option: object) => async (agent: Agent) => {
  agent.person.approval = ({ options = [] }) => {
    expect(options.find(({ id }) => id === optionId)).toMatchObject(option);
    return { option: optionId };
  };
  const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"];
  const options = kinds.map((kind) => ({ optionId: kind, name: `Name of ${kind}`, kind }));
  const params = { toolCall: { toolCallId: "c", title: "Do it" }, options };
  expect(await agent.act("request", "session/request_permission", params)).toEqual({
    result: { outcome: { outcome: "selected", optionId } },
  });
};

/** The prompts of a person. */
export const prompts: readonly Row[] = [
  { acp: "text", askwire: "text of a prompt", lost: "–", trip: prompted(text(" "), text(" ")) },
  {
    acp: "image, audio where the agent takes these",
    askwire: "`image_url`, `audio_url` with a data URL; else the prompt is refused (`-32002`)",
    lost: "–",
    trip: prompted(
      { type: "image_url", image_url: { url: "data:image/png;base64,AAAA", id: null } },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ),
  },
  {
    acp: "resource where the agent takes embedded context",
    askwire: "`video_url` with a data URL",
    lost: "–",
    trip: prompted(
      { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA", id: null } },
      { type: "resource", resource: { uri: "attachment:2", mimeType: "video/mp4", blob: "AAAA" } },
    ),
  },
  {
    acp: "resource_link",
    askwire: "a part with another address",
    lost: "–",
    trip: prompted(
      { type: "image_url", image_url: { url: "https://a.b/c.png", id: null } },
      { type: "resource_link", name: "image 2", uri: "https://a.b/c.png" },
    ),
  },
  {
    acp: "a further `session/prompt`",
    askwire: "`steer`, read once the prompt has ended, in the same turn",
    lost: "the agent does not read the words before",
    async trip(agent) {
      agent.person.question = async () => {
        await agent.session.steer("and this");
        return "declined" as const;
      };
      expect(await agent.script(["request", "elicitation/create", form])).toContain("You said: and this");
    },
  },
];

/** The permissions that an agent asks for. */
export const permissions: readonly Row[] = [
  {
    acp: "`allow_once`",
    askwire: "an option that allows this call",
    lost: "–",
    trip: permitted("allow_once", { kind: "allow", label: "Name of allow_once" }),
  },
  {
    acp: "`allow_always`",
    askwire: "an option that allows with a scope of the agent's, which the session does not remember",
    lost: "what it covers: only the agent knows",
    trip: permitted("allow_always", { kind: "allow", scope: { kind: "agent" } }),
  },
  {
    acp: "`reject_once`",
    askwire: "an option that rejects this call",
    lost: "–",
    trip: permitted("reject_once", { kind: "reject" }),
  },
  {
    acp: "`reject_always`",
    askwire: "an option that rejects with a scope of the agent's",
    lost: "what it covers",
    trip: permitted("reject_always", { kind: "reject", scope: { kind: "agent" } }),
  },
  {
    acp: "no options",
    askwire: "nobody is asked: `cancelled` at once, with a notice to the person",
    lost: "–",
    async trip(agent) {
      const params = { toolCall: { toolCallId: "c", title: "Do it" }, options: [] };
      expect(await agent.act("request", "session/request_permission", params)).toEqual({
        result: { outcome: { outcome: "cancelled" } },
      });
    },
  },
  {
    acp: "questions among the arguments, with the options `proceed_once` and `cancel` (Qwen Code)",
    askwire:
      "the questions themselves; the answers stand beside the outcome, by their positions, and a decline is `cancel`",
    lost: "notes are words in brackets",
    async trip(agent) {
      agent.person.question = () => ({ items: [{ question_id: "q1", selected: ["q1_o2"], note: "small" }] });
      const questions = [{ question: "Which?", header: "DB", options: [{ label: "A" }, { label: "B" }] }];
      const options = [
        { optionId: "proceed_once", name: "Submit", kind: "allow_once" },
        { optionId: "cancel", name: "Cancel", kind: "reject_once" },
      ];
      const toolCall = { toolCallId: "c", title: "Ask", rawInput: { questions } };
      expect(await agent.act("request", "session/request_permission", { toolCall, options })).toEqual({
        result: { outcome: { outcome: "selected", optionId: "proceed_once" }, answers: { 0: "B (small)" } },
      });
    },
  },
  {
    acp: "two options of one id",
    askwire: "nobody is asked: refused with `-32602`",
    lost: "–",
    async trip(agent) {
      const options = ["Yes", "Go"].map((name) => ({ optionId: "yes", name, kind: "allow_once" }));
      const params = { toolCall: { toolCallId: "c", title: "Do it" }, options };
      expect(await agent.act("request", "session/request_permission", params)).toMatchObject({
        error: { code: -32602 },
      });
    },
  },
  {
    acp: "an option of any other kind",
    askwire: "a closed question with all options",
    lost: "–",
    async trip(agent) {
      agent.person.question = () => ({ items: [{ question_id: "q1", selected: ["later"] }] });
      const options = [
        { optionId: "later", name: "Later", kind: "_later" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ];
      const params = { toolCall: { toolCallId: "c", title: "Do it" }, options };
      expect(await agent.act("request", "session/request_permission", params)).toEqual({
        result: { outcome: { outcome: "selected", optionId: "later" } },
      });
    },
  },
  {
    acp: "– (a further prompt)",
    askwire: "the words with which a person rejects, and no others",
    lost: "the agent reads them after its prompt",
    async trip(agent) {
      agent.person.approval = () => ({ response: "reject", feedback: "not that" });
      const options = [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ];
      const params = { toolCall: { toolCallId: "c", title: "Do it" }, options };
      expect(await agent.script(["request", "session/request_permission", params])).toContain(
        "which was rejected: not that",
      );
    },
  },
  {
    acp: "the outcome `cancelled`",
    askwire: "no decision: cancelled, withdrawn, nobody there",
    lost: 'the cause, which `_meta["askwire.dev/outcome"]` tells',
    async trip(agent) {
      agent.person.approval = () => "reject";
      const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
      const params = { toolCall: { toolCallId: "c", title: "Do it" }, options };
      expect(await agent.act("request", "session/request_permission", params)).toEqual({
        result: { outcome: { outcome: "cancelled" } },
      });
    },
  },
];

/** The files that an agent reads and writes. */
export const files: readonly Row[] = [
  {
    acp: "`fs/read_text_file`",
    askwire: "a file of the work folder, links followed and none that leads out",
    lost: "files of more than 1 MiB, and none in UTF-8",
    async trip(agent) {
      expect(await agent.act("request", "fs/read_text_file", { path: "/etc/hostname" })).toMatchObject({
        error: { code: -32602 },
      });
    },
  },
  {
    acp: "`fs/write_text_file`",
    askwire:
      "an approval with the difference, once, for the file or for every further one; none for a change that was just allowed",
    lost: "–",
    async trip(agent) {
      agent.person.approval = ({ display }) => {
        expect(display).toMatchObject([{ type: "diff", new_text: "x" }]);
        return "reject";
      };
      const path = `${process.cwd()}/packages/relays/never-written.txt`;
      expect(await agent.act("request", "fs/write_text_file", { path, content: "x" })).toMatchObject({
        error: { message: expect.stringContaining("nobody allowed that") },
      });
    },
  },
  {
    acp: "`terminal/*`",
    askwire: "– (not offered)",
    lost: "terminals",
    async trip(agent) {
      expect(await agent.act("request", "terminal/create", { command: "ls" })).toMatchObject({
        error: { code: -32601 },
      });
    },
  },
];
