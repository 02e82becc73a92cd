import type { Outcome } from "@askwire/protocol";
import {
  type Dialect,
  type DialectEnding,
  defineTool,
  type Endings,
  type QuestionRequest,
  type ServerOptions,
  type Tool,
} from "@askwire/server";
import * as z from "zod/mini";
import { modelAgent } from "../../agent/src/index.js";
import { drivenClock } from "../../server/test/driven-clock.js";
import { extended } from "../../server/test/extended/extended-client.js";
import { type Message, payload } from "../../server/test/raw-client.js";
import { scenario, watchedModel } from "../../server/test/scenario.js";
import { until } from "../../server/test/until.js";
import type { Form } from "./matrix-forms.js";
import type { Wire } from "./matrix-table.js";

/** A minute, and then the question is cancelled, or its default counts. */
export const minute = (on_expiry: "cancel" | "default") => ({ ms: 60_000, on_expiry });

export interface StageOptions {
  /** What the model says, one script for each request. Default: it asks, then it is done. */
  readonly scripts?: readonly string[];
  readonly tools?: readonly Tool[];
  readonly deadline?: ReturnType<typeof minute>;
  /** Whether the client declares that it shows questions. Default: true. */
  readonly shows?: boolean;
  /** Whether it has a hook of notifications, which it never answers. Default: false. */
  readonly hooked?: boolean;
  readonly maxOpenRequests?: number;
  readonly subagentQuestions?: boolean;
  /** Keeps its session. Default: nothing is kept. */
  readonly keep?: NonNullable<ServerOptions["keep"]>;
}

/** The same dialect, which tells how each question ended that the model is told of. */
function watched(dialect: Dialect, outcomes: Outcome[]): Dialect {
  return {
    ...dialect,
    begin() {
      const { read, outside } = dialect.begin();
      return {
        outside,
        async read(call, run) {
          const asked = await read(call, run);
          if (!("questions" in asked)) return asked;
          const endings = Object.entries(asked.endings).map(([ending, told]) => [
            ending as DialectEnding,
            (ended: Parameters<typeof told>[0]) => {
              outcomes.push(ended.outcome);
              return told(ended);
            },
          ]);
          return { ...asked, endings: Object.fromEntries(endings) as Endings };
        },
      };
    },
  };
}

export type Stage = Awaited<ReturnType<typeof setUp>>;

/** A server whose model asks in a form, with one client of a profile. */
export async function setUp(form: Form, wire: Wire, options: StageOptions = {}) {
  const {
    scripts = [form.ask("tc-1"), "text: done"],
    deadline,
    shows = true,
    hooked = false,
    ...rest
  } = options;
  const outcomes: Outcome[] = [];
  const clock = drivenClock();
  const dialect = watched(form.make(deadline), outcomes);
  const { server, model, connect } = scenario([...scripts, "text: more"], {
    dialects: [dialect],
    clock,
    ...rest,
  });
  const session = server.createSession();
  const client = extended(connect({ session, graceMs: 0 }).client);
  const hooks = hooked ? { hooks: [{ id: "h", event: "Notification" }] } : {};
  if (wire === "extended") await client.introduce({ question: shows, ...hooks });
  else {
    const capabilities = { supports_question: shows };
    await client.call("initialize", {
      protocol_version: "1.10",
      client: { name: "raw" },
      capabilities,
      ...hooks,
    });
  }
  const kept: { asked?: Message; question?: QuestionRequest } = {};
  return {
    wire,
    clock,
    server,
    session,
    client,
    outcomes,
    /** What reads the result, of which call, and with which of its requests. */
    reading: { model, id: "tc-1", at: 1 },
    prompt: () => client.call("prompt", { user_input: "go" }),
    kept,
    /** The n-th question, once the client has it. The first one is kept. */
    async seen(n = 1) {
      const asked = await client.seen("QuestionRequest", n);
      kept.asked ??= asked;
      kept.question ??= session.pending.find(({ id }) => id === asked.id) as QuestionRequest;
      return asked;
    },
    /** The same; an extended client says that it has it. */
    async asked(n = 1) {
      const asked = await this.seen(n);
      if (wire === "extended") {
        client.send({ jsonrpc: "2.0", method: "received", params: { request_id: asked.id } });
      }
      return asked;
    },
    /** Answers with an option, as the profile has it. */
    async choose(request: Message, label: string) {
      const { questions } = payload(request) as { questions: Item[] };
      const [item] = questions;
      if (item === undefined) throw new Error("a question without a question");
      const answers = { [item.question]: label };
      if (wire === "base") return client.reply(request, { request_id: request.id, answers });
      const chosen = item.options.find((option) => option.label === label)?.id;
      await client.answer(request, { items: [{ question_id: item.id, selected: [chosen] }] });
    },
    /** The turn has ended. */
    over: () => until(() => !session.running),
  };
}

interface Item {
  readonly id: string;
  readonly question: string;
  readonly options: readonly { id: string; label: string }[];
}

/** A tool that hands its work to a sub-agent, whose model says this. */
export function delegate(name: string, scripts: readonly string[]) {
  const model = watchedModel([...scripts, "text: more"]);
  const tool = defineTool({
    name,
    description: "delegates",
    parameters: z.looseObject({}),
    async run(_params, { subagent }) {
      const { text } = await subagent({ agent: modelAgent({ model }), type: "coder", input: "do it" });
      return text;
    },
  });
  return { model, tool };
}
