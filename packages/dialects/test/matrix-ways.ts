import { defineTool } from "@askwire/server";
import * as z from "zod/mini";
import { diskWithoutRoomFor, keepOn } from "../../server/test/failing-disk.js";
import { callLine } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import type { Form } from "./matrix-forms.js";
import { delegate, minute, type Stage, setUp } from "./matrix-stage.js";
import type { RowName, Wire } from "./matrix-table.js";

/** A way of ending a question. Resolves with its stage after the end. */
export type Way = (form: Form, wire: Wire) => Promise<Stage>;

type Asked = Awaited<ReturnType<Stage["asked"]>>;

/** A question is before the person, then this happens. */
const openThen =
  (happens: (stage: Stage, asked: Asked) => unknown): Way =>
  async (form, wire) => {
    const stage = await setUp(form, wire);
    void stage.prompt();
    await happens(stage, await stage.asked());
    return stage;
  };

/** The client cannot even take the question. */
const failsWith =
  (code: number, message: string): Way =>
  async (form, wire) => {
    const stage = await setUp(form, wire);
    void stage.prompt();
    stage.client.replyError(await stage.seen(), code, message);
    return stage;
  };

/** A question of a minute, which passes. */
const expires =
  (on_expiry: "cancel" | "default"): Way =>
  async (form, wire) => {
    const stage = await setUp(form, wire, { deadline: minute(on_expiry) });
    void stage.prompt();
    await stage.asked();
    stage.clock.advance(60_000);
    return stage;
  };

/** Two sub-agents that may ask do so at the same time. */
async function twoAsk(form: Form, wire: Wire) {
  const one = delegate("One", [form.ask("tc-1"), "text: done"]);
  const two = delegate("Two", [form.ask("tc-2", " then"), "text: done"]);
  const scripts = [`${callLine("One", {}, "t-1")}\n${callLine("Two", {}, "t-2")}`, "text: done"];
  const tools = [one.tool, two.tool];
  const stage = await setUp(form, wire, { scripts, tools, subagentQuestions: true });
  void stage.prompt();
  await stage.asked();
  return { stage, one, two };
}

/** The way to each row of the table. */
export const ways: Record<RowName, Way> = {
  answered: openThen((stage, asked) => stage.choose(asked, "Blue")),
  dismissed: openThen(async ({ client, wire }, asked) => {
    if (wire === "base") client.reply(asked, { request_id: asked.id, answers: {} });
    else await client.answer(asked, { outcome: { status: "declined", reason: "dismissed" } });
  }),
  async discuss(form, wire) {
    const stage = await setUp(form, wire, { scripts: [form.ask("tc-1", "", wire === "base"), "text: done"] });
    const { client } = stage;
    void stage.prompt();
    const asked = await stage.asked();
    if (wire === "base")
      client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "why now?" } });
    else await client.answer(asked, { outcome: { status: "declined", reason: "discuss", note: "why now?" } });
    return stage;
  },
  expired: expires("cancel"),
  "expired, the shown default counts": expires("default"),
  interrupted: openThen(({ client }) => client.call("cancel")),
  async superseded(form, wire) {
    const { stage, one } = await twoAsk(form, wire);
    await stage.choose(await stage.asked(2), "Blue");
    return { ...stage, reading: { ...stage.reading, model: one.model } };
  },
  session_closed: openThen(({ session }) => session.close()),
  shutdown: openThen(({ server }) => server.close()),
  agent: openThen(({ kept }) => kept.question?.reject(new Error("no longer needed"))),
  async unsupported(form, wire) {
    if (wire === "extended") return failsWith(-32602, "cannot show it")(form, wire);
    const stage = await setUp(form, wire, { shows: false });
    await stage.prompt();
    return stage;
  },
  async "unattended, by policy"(form, wire) {
    const stage = await setUp(form, wire);
    stage.session.attendance = "decline";
    await stage.prompt();
    return stage;
  },
  async "unattended, by system"(form, wire) {
    let goneBy = () => Promise.resolve();
    const waits = defineTool({
      name: "Wait",
      description: "waits until the client is gone",
      parameters: z.looseObject({}),
      run: () => goneBy().then(() => "gone"),
    });
    const scripts = [callLine("Wait", {}, "w-1"), form.ask("tc-1"), "text: done"];
    const stage = await setUp(form, wire, { scripts, tools: [waits] });
    goneBy = () => until(() => stage.session.connections === 0);
    void stage.prompt();
    await stage.client.seen("ToolCall");
    stage.client.close();
    return { ...stage, reading: { ...stage.reading, at: 2 } };
  },
  do_not_ask: openThen(({ session }) => {
    session.doNotAsk = true;
  }),
  client_lost: openThen(({ client }) => client.close()),
  async subagent(form, wire) {
    const { tool, model } = delegate("Task", [form.ask("tc-1"), "text: done"]);
    const stage = await setUp(form, wire, {
      scripts: [callLine("Task", {}, "t-1"), "text: done"],
      tools: [tool],
    });
    await stage.prompt();
    return { ...stage, reading: { ...stage.reading, model } };
  },
  async "limit, by policy"(form, wire) {
    const { stage, two } = await twoAsk(form, wire);
    await until(() => two.model.requests.length === 2);
    await stage.choose(await stage.asked(1), "Blue");
    return { ...stage, reading: { model: two.model, id: "tc-2", at: 1 } };
  },
  async "limit, by system"(form, wire) {
    // A hook's question takes the room, since no call of the step must be before or after the asking call.
    const stage = await setUp(form, wire, { maxOpenRequests: 1, hooked: true });
    const notice = { category: "task", type: "done", source_kind: "task", source_id: "1" };
    void stage.session.notify({ ...notice, title: "done", body: "", severity: "info" });
    await stage.client.seen("HookRequest");
    await stage.prompt();
    return stage;
  },
  protocol_error: openThen(({ client, wire }, asked) => {
    if (wire === "base") client.reply(asked, { request_id: asked.id, answers: 7 });
    else return client.call("release", { request_id: asked.id, message: "it broke" });
  }),
  "protocol_error, as an error": failsWith(-32603, "it broke"),
  async not_kept(form, wire) {
    const keep = keepOn(diskWithoutRoomFor('"InteractionOpened"'));
    const stage = await setUp(form, wire, { keep });
    await stage.prompt();
    return stage;
  },
};

/** Other ways to the same ending, of a base client. */
export const otherWays: { readonly row: RowName; readonly what: string; readonly way: Way }[] = [
  {
    row: "protocol_error, as an error",
    what: "answers with an error of its own",
    way: failsWith(0, "it broke"),
  },
  {
    row: "dismissed",
    what: "answers with blanks",
    way: openThen(({ client }, asked) =>
      client.reply(asked, { request_id: asked.id, answers: { "Which colour?": "  " } }),
    ),
  },
  { row: "unsupported", what: "does not know the method", way: failsWith(-32601, "unknown method") },
  { row: "expired", what: "was not shown the default", way: expires("default") },
];
