import type { ClientSession, ConnectOptions } from "@askwire/client";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";

/** Opens a session with an agent whose scripted model says these things, over one transport. */
export type Open = (scripts: readonly string[], options: ConnectOptions) => Promise<ClientSession>;

const call = (id: string, ...questions: object[]) =>
  `tool_call: ${JSON.stringify({ id, name: "AskUserQuestion", arguments: JSON.stringify({ questions }) })}`;

const database = {
  question: "Which database?",
  options: [{ label: "SQLite", description: "one file" }, { label: "Postgres" }],
};
const features = {
  question: "Which features?",
  options: [{ label: "Search" }, { label: "Export, CSV" }, { label: "Import" }],
  multi_select: true,
};

type Event = WireEvent | Unrecognized;

async function readAll(events: AsyncIterable<Event>): Promise<Event[]> {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const results = (events: Event[]) =>
  events.flatMap((event) => (event.type === "ToolResult" ? [event.payload.return_value] : []));
const text = (events: Event[]) =>
  events
    .flatMap((event) =>
      event.type === "ContentPart" && event.payload.type === "text" ? [event.payload.text] : [],
    )
    .join("");

/** A turn whose question is shown and never answered; `opened` resolves with the signal of its dialog. */
async function leftOpen(open: Open) {
  const opened = deferred<AbortSignal>();
  const session = await open([call("tc-1", database), "text: ok"], {
    handlers: {
      question: (_view, { signal }) => {
        opened.resolve(signal);
        return new Promise(() => {});
      },
    },
  });
  return { session, turn: session.prompt("begin"), opened: opened.promise };
}

/** What only clients of the extended profile are told, and where: beside what everybody is. */
const extendedOnly = new Set(["InteractionOpened", "InteractionSettled", "InteractionUpdated"]);

/** Behaviour that a user notices, the same over every transport and in both profiles. */
export function transportSuite(name: string, openWith: Open): void {
  describe.each(["base", "extended"] as const)(`over ${name}, in the %s profile`, (profile) => {
    const open: Open = (scripts, options) => openWith(scripts, { profile, ...options });

    test("the agent asks, the person answers, the agent continues", async () => {
      const session = await open([`text: A choice.\n${call("tc-1", database)}`, "text: Going on."], {
        handlers: {
          question: ({ questions: [question] }) => {
            const option = question?.options[1];
            return { items: [{ question_id: question?.id ?? "", selected: [option?.id ?? ""] }] };
          },
        },
      });
      const turn = session.prompt("begin");
      const events = await readAll(turn);
      expect(await turn.result).toEqual({ status: "finished" });
      const types = events.map((event) => event.type).filter((type) => !extendedOnly.has(type));
      expect(types).toEqual([
        "TurnBegin",
        "StepBegin",
        "ContentPart",
        "ToolCall",
        "StatusUpdate",
        "ToolResult",
        "StepBegin",
        "ContentPart",
        "StatusUpdate",
        "TurnEnd",
      ]);
      expect(results(events)[0]?.output).toBe('{"answers": {"Which database?": "Postgres"}}');
      expect(text(events)).toBe("A choice.Going on.");
      await session.close();
    });

    test("several choices and own text come back in option order, own text last", async () => {
      const session = await open([call("tc-1", features, database), "text: ok"], {
        handlers: {
          question: ({ questions: [first, second] }) => ({
            items: [
              { question_id: first?.id ?? "", selected: ["q1_o3", "q1_o2"], own_text: "Undo, with history" },
              { question_id: second?.id ?? "", selected: [], own_text: "数据库" },
            ],
          }),
        },
      });
      const events = await readAll(session.prompt("begin"));
      expect(results(events)[0]?.output).toBe(
        '{"answers": {"Which features?": "Export, CSV, Import, Undo, with history", "Which database?": "数据库"}}',
      );
      await session.close();
    });

    test("a person who declines is reported as such, and the agent continues", async () => {
      const session = await open([call("tc-1", database), "text: I decide."], {
        handlers: { question: () => "declined" },
      });
      const events = await readAll(session.prompt("begin"));
      expect(results(events)[0]).toMatchObject({
        is_error: false,
        output: '{"answers": {}, "note": "User dismissed the question without answering."}',
      });
      expect(text(events)).toBe("I decide.");
      await session.close();
    });

    test("a client that cannot show questions is not asked; the model is told to ask in text", async () => {
      const session = await open([call("tc-1", database), "text: Which database?"], { handlers: {} });
      const events = await readAll(session.prompt("begin"));
      expect(results(events)[0]).toMatchObject({ is_error: true });
      expect(results(events)[0]?.message).toContain("Do NOT call this tool again");
      await session.close();
    });

    test("a handler that fails is not taken for the person's refusal", async () => {
      const session = await open([call("tc-1", database), "text: hm"], {
        handlers: {
          question: () => {
            throw new Error("the dialog broke");
          },
        },
      });
      const events = await readAll(session.prompt("begin"));
      expect(results(events)[0]).toMatchObject({ is_error: true, message: "Failed to get user response." });
      await session.close();
    });

    test("an approval is answered by one of its options, whose scope covers later calls alone that are equal (P-XAO-1 to P-XAO-5)", async () => {
      const run = (id: string, command: string) =>
        `tool_call: ${JSON.stringify({ id, name: "Shell", arguments: JSON.stringify({ command }) })}`;
      const scripts = [
        run("tc-1", "echo one"),
        run("tc-2", "echo one"),
        run("tc-3", "touch two"),
        "text: ok",
      ];
      const asked: unknown[] = [];
      const session = await open(scripts, {
        shows: { approvalOptions: true },
        handlers: {
          approval: ({ description, options }) => {
            asked.push(description);
            if (description.includes("two")) return { response: "reject", feedback: "not two" };
            return options === undefined ? "approve" : { option: "program" };
          },
        },
      });
      const events = await readAll(session.prompt("begin"));
      const told = results(events).map(({ is_error, output }) => (is_error ? "refused" : output));
      expect(told).toEqual(["one\n", "one\n", "refused"]);
      // In the base profile each word stands for this once.
      expect(asked).toHaveLength(profile === "base" ? 3 : 2);
      await session.close();
    });

    test("two questions at once are answered in any order, each to its call", async () => {
      const answerFirst = deferred();
      const session = await open(
        [`${call("tc-1", database)}\n${call("tc-2", { ...database, question: "And then?" })}`, "text: ok"],
        {
          handlers: {
            question: async ({ tool_call_id, questions: [question] }) => {
              if (tool_call_id === "tc-1") await answerFirst.promise;
              else answerFirst.resolve();
              return { answers: { [question?.question ?? ""]: tool_call_id } };
            },
          },
        },
      );
      const events = await readAll(session.prompt("begin"));
      const ids = events.flatMap((event) =>
        event.type === "ToolResult" ? [event.payload.tool_call_id] : [],
      );
      expect(ids.sort()).toEqual(["tc-1", "tc-2"]);
      expect(results(events).map((value) => value.output)).toEqual(
        expect.arrayContaining([
          '{"answers": {"And then?": "tc-2"}}',
          '{"answers": {"Which database?": "tc-1"}}',
        ]),
      );
      await session.close();
    });

    test("a person who does not want to be asked ends the open question, and the agent continues (P-XDN-1)", async () => {
      const { session, turn, opened } = await leftOpen(open);
      const all = readAll(turn);
      const signal = await opened;
      if (profile === "base") {
        await expect(session.setDoNotAsk(true)).rejects.toMatchObject({ code: -32601 });
        await session.cancel();
      } else {
        expect([session.doNotAsk, await session.setDoNotAsk(true), session.doNotAsk]).toEqual([
          false,
          true,
          true,
        ]);
        expect(results(await all)[0]?.output).toContain("does not want to be asked");
      }
      await turn.result;
      expect(signal.aborted).toBe(true);
      await session.close();
    });

    test("a client that wants what was before is told that it is new here, and then what happens (P-XHI-1)", async () => {
      const told: string[] = [];
      const session = await open(["text: Hello."], {
        handlers: {
          event: ({ type }) => void told.push(type),
          history: { end: (whole) => void told.push(`whole: ${whole}`) },
        },
      });
      await session.prompt("begin").result;
      const before = profile === "base" ? [] : ["whole: true"];
      expect(told.slice(0, before.length + 1)).toEqual([...before, "TurnBegin"]);
      await session.close();
    });

    test("cancelling while a question is open closes its dialog and ends the turn without a result", async () => {
      const { session, turn, opened } = await leftOpen(open);
      const all = readAll(turn);
      const signal = await opened;
      await session.cancel();
      expect(await turn.result).toEqual({ status: "cancelled" });
      expect(signal.aborted).toBe(true);
      const events = await all;
      expect(events.at(-1)?.type).toBe("TurnEnd");
      expect(results(events)).toEqual([]);
      await expect(session.cancel()).rejects.toMatchObject({ code: -32000 });
      await session.close();
    });

    test("a second prompt of one client is refused while the first runs, which continues", async () => {
      const opened = deferred();
      const answer = deferred();
      const session = await open([call("tc-1", database), "text: ok"], {
        handlers: {
          question: async () => {
            opened.resolve();
            await answer.promise;
            return { answers: { "Which database?": "SQLite" } };
          },
        },
      });
      const turn = session.prompt("begin");
      await opened.promise;
      expect(() => session.prompt("again")).toThrow(expect.objectContaining({ code: "INVALID_STATE" }));
      answer.resolve();
      expect(await turn.result).toEqual({ status: "finished" });
      await session.close();
    });

    test("closing while a turn runs ends every wait with a typed error", async () => {
      const { session, turn, opened } = await leftOpen(open);
      const all = readAll(turn).then(
        () => "ended",
        (error: { code: unknown }) => error.code,
      );
      const signal = await opened;
      await session.close();
      await expect(turn.result).rejects.toMatchObject({ name: "LocalError" });
      expect(await all).toMatch(/CLOSED|PROCESS_EXITED/);
      expect(signal.aborted).toBe(true);
    });

    test("a program asks: its outcome comes with the answer, again under its key, and withdrawn where it cancels", async () => {
      const opened = deferred();
      const session = await open([], {
        handlers: {
          question: ({ questions: [question] }) => {
            if (question?.question === database.question)
              return { answers: { [database.question]: "SQLite" } };
            opened.resolve();
            return new Promise(() => {});
          },
        },
      });
      const ask = { key: "db", questions: [database], here: true };
      if (profile === "base") {
        await expect(session.ask(ask)).rejects.toMatchObject({ code: -32601 });
        return session.close();
      }
      const first = await session.ask(ask);
      expect(first).toMatchObject({
        key: "db",
        outcome: { status: "answered" },
        answers: { "Which database?": "SQLite" },
        items: [{ question_id: "q1", selected: ["q1_o1"] }],
      });
      expect(await session.ask({ key: "db" })).toEqual(first);
      await expect(session.ask({ key: "db", questions: [features] })).rejects.toMatchObject({ code: -32602 });
      const cancelled = new AbortController();
      const { signal } = cancelled;
      const withdrawn = session.ask({ questions: [{ question: "Now?", options: [] }], here: true, signal });
      await opened.promise;
      cancelled.abort();
      expect((await withdrawn).outcome).toMatchObject({ status: "withdrawn", reason: "agent" });
      await session.close();
    });

    test("a message of a megabyte arrives whole", async () => {
      const long = "ä€😀 ".repeat(100_000);
      const session = await open([`text: ${long}.`], {});
      const events = await readAll(session.prompt(long));
      expect(text(events)).toBe(`${long}.`);
      expect(events[0]).toMatchObject({ type: "TurnBegin", payload: { user_input: long } });
      await session.close();
    });

    test("two thousand pieces of text arrive in order", async () => {
      const script = Array.from({ length: 2_000 }, (_, n) => `text: ${n};`).join("\n");
      const session = await open([script], {});
      const events = await readAll(session.prompt("begin"));
      expect(text(events)).toBe(Array.from({ length: 2_000 }, (_, n) => `${n};`).join(""));
      await session.close();
    });
  });
}
