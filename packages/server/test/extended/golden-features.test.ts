// The features that each client is sent, by those that it declares, and those listed as lost when it answers: each
// kind of request towards each kind of client, all on one session. Plain questions are in golden-table.test.ts.

import type { Outcome } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { ApprovalRequest, type PersonRequest, QuestionRequest, wireSend } from "../../src/index.js";
import { type Message, payload } from "../raw-client.js";
import { scenario } from "../scenario.js";
import { everything, extended, introduction } from "./extended-client.js";

const base = (supports_question: boolean) => ({
  protocol_version: "1.10",
  client: { name: "base" },
  capabilities: { supports_question },
});
const without = (feature: keyof typeof everything) =>
  introduction({ shows: { ...everything, [feature]: false } });

const kinds = {
  base: base(true),
  "base that cannot": base(false),
  all: introduction(),
  "no options": without("approval_options"),
  "no edits": without("edits"),
  "no fields": without("fields"),
  "no questions": introduction({ question: false }),
} as const;
type Kind = keyof typeof kinds;

/** An answer as a base client replies and as an extended one says; lost: the features that the outcome lists. */
interface Seen {
  readonly as: "ApprovalRequest" | "QuestionRequest";
  readonly has: object;
  readonly says: object;
  readonly lost?: readonly string[];
}

/** Told in short that something is open; a base client is told nothing. */
const short = "InteractionOpened";
const nothing = undefined;

const act = { tool_call_id: "tc", sender: "Act", action: "act", description: "x" };
const once = { id: "once", kind: "allow" } as const;
const lasting = { id: "git", kind: "allow", scope: { kind: "program", value: "git" } } as const;
const targets = [
  { id: "staging", label: "Staging", kind: "allow" },
  { id: "production", label: "Production", kind: "allow" },
] as const;
const asks = (question: object, more: object = {}) =>
  new QuestionRequest({ tool_call_id: "tc", questions: [question as never], ...more });
const item = (said: object) => ({ items: [{ question_id: "q1", selected: [], ...said }] });

const word = { response: "approve" };
const byWords: Seen = { as: "ApprovalRequest", has: {}, says: word, lost: ["approval_options"] };
const byOptions: Seen = {
  as: "ApprovalRequest",
  has: { options: ["once", "git", "reject"] },
  says: { option: "once" },
};
const targeted: Seen = {
  as: "ApprovalRequest",
  has: { options: ["staging", "production", "reject"] },
  says: { option: "staging" },
};
const targetedByQuestion = {
  as: "QuestionRequest",
  has: { labels: ["Staging", "Production", "Reject"] },
} as const;
const edited: Seen = {
  as: "ApprovalRequest",
  has: { edit: "git status" },
  says: { ...word, edited: "git log" },
};
const unchanged: Seen = { as: "ApprovalRequest", has: {}, says: word, lost: ["edit"] };
const port = { type: "integer", bounds: { min: 1, max: 9 } };
const field: Seen = { as: "QuestionRequest", has: { field: port }, says: item({ own_text: "7" }) };
const fieldAsText = {
  as: "QuestionRequest",
  has: { body: "Expected: a whole number from 1 to 9." },
  lost: ["field"],
} as const;
const parts = { labels: ["A", "B"] };
const chosen = item({ selected: ["q1_o1", "q1_o2"] });
const counted: Seen = { as: "QuestionRequest", has: { ...parts, min: 2 }, says: chosen };
const countedAsText = {
  as: "QuestionRequest",
  has: { ...parts, body: "Expected: at least 2 choices." },
  lost: ["choices"],
} as const;
const red = item({ own_text: "yes" });
const later: Seen = { as: "QuestionRequest", has: { background: true }, says: red };
const program: Seen = { as: "QuestionRequest", has: { program: "k" }, says: red };

interface Case {
  /** Undefined for the questions of a program. */
  readonly request?: () => PersonRequest;
  readonly seen: Readonly<Record<Kind, Seen | typeof short | typeof nothing>>;
}

const cases: Readonly<Record<string, Case>> = {
  "an approval whose options three words say": {
    request: () => new ApprovalRequest({ ...act, options: [once, lasting] }),
    seen: {
      base: byWords,
      "base that cannot": byWords,
      all: byOptions,
      "no options": byWords,
      "no edits": byOptions,
      "no fields": byOptions,
      "no questions": byOptions,
    },
  },
  "an approval whose options words do not say": {
    request: () => new ApprovalRequest({ ...act, options: targets }),
    seen: {
      base: { ...targetedByQuestion, says: { "Act: x": "Staging" } },
      "base that cannot": nothing,
      all: targeted,
      "no options": {
        ...targetedByQuestion,
        says: { items: [{ question_id: "approval", selected: ["staging"] }] },
      },
      "no edits": targeted,
      "no fields": targeted,
      "no questions": targeted,
    },
  },
  "an approval with a text to change": {
    request: () => new ApprovalRequest({ ...act, edit: { content: "git status" } }),
    seen: {
      base: unchanged,
      "base that cannot": unchanged,
      all: edited,
      "no options": edited,
      "no edits": unchanged,
      "no fields": edited,
      "no questions": edited,
    },
  },
  "a question with a field": {
    request: () => asks({ question: "Which?", field: port }),
    seen: {
      base: { ...fieldAsText, says: { "Which?": "7" } },
      "base that cannot": nothing,
      all: field,
      "no options": field,
      "no edits": field,
      "no fields": { ...fieldAsText, says: item({ own_text: "7" }) },
      "no questions": short,
    },
  },
  "a question with a fewest of choices": {
    request: () =>
      asks({ question: "Which?", options: [{ label: "A" }, { label: "B" }], multi_select: true, min: 2 }),
    seen: {
      base: { ...countedAsText, says: { "Which?": "A, B" } },
      "base that cannot": nothing,
      all: counted,
      "no options": counted,
      "no edits": counted,
      "no fields": { ...countedAsText, says: chosen },
      "no questions": short,
    },
  },
  "a question in the background": {
    request: () => asks({ question: "Which?" }, { background: true }),
    seen: {
      base: { as: "QuestionRequest", has: {}, says: { "Which?": "yes" } },
      "base that cannot": nothing,
      all: later,
      "no options": later,
      "no edits": later,
      "no fields": later,
      "no questions": short,
    },
  },
  "a question of a program": {
    seen: {
      base: nothing,
      "base that cannot": nothing,
      all: program,
      "no options": program,
      "no edits": program,
      "no fields": program,
      "no questions": short,
    },
  },
};

interface Sent {
  readonly options?: readonly { readonly id: string }[];
  readonly edit?: { readonly content: string };
  readonly questions?: readonly SentQuestion[];
  readonly background?: true;
  readonly program?: { readonly key: string };
}
type SentQuestion = Partial<Record<"field" | "min" | "max" | "body", unknown>> & {
  readonly options: readonly { readonly label: string }[];
};

/** The part of a request that depends on features, as short as can be. */
function featuresOf(message: Message): object {
  const { options, edit, questions, background, program } = payload(message) as Sent;
  const { field, min, max, body, options: choices } = questions?.[0] ?? { options: [] };
  const found = {
    options: options?.map(({ id }) => id),
    edit: edit?.content,
    labels: choices.length > 0 ? choices.map(({ label }) => label) : undefined,
    field,
    min,
    max,
    body: body === "" ? undefined : body,
    background,
    program: program?.key,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const rows = Object.entries(cases).flatMap(([what, { seen }]) =>
  (Object.keys(kinds) as Kind[])
    .filter((kind) => typeof seen[kind] === "object")
    .map((answers) => [what, answers] as const),
);

describe("each kind of client is sent what it shows, and what was lost is listed (P-CAP-2, P-XQS-3, P-XAO-5, P-XAO-6, P-XFL-8, P-XBG-1, P-XAK-7)", () => {
  test("there is a row for each request, and each client that can answer it", () => {
    expect(rows).toHaveLength(39);
  });

  test.each(rows)(
    "each kind of client is sent what it shows, and what was lost is listed: %s, answered by: %s",
    async (what, answers) => {
      const { request: make, seen } = cases[what] as Case;
      let done: PersonRequest | undefined;
      const run = async () => {
        done = make?.();
        if (done === undefined) return;
        wireSend(done);
        await done.wait();
      };
      const { server, connect } = scenario([], { agent: { run } });
      const session = server.createSession();
      const clients = new Map<Kind, ReturnType<typeof extended>>();
      for (const [kind, params] of Object.entries(kinds)) {
        const client = extended(connect({ session }).client);
        await client.call("initialize", params);
        clients.set(kind as Kind, client);
      }
      const all = clients.get("all") as ReturnType<typeof extended>;
      const asker = extended(connect({ session }).client);
      await asker.introduce();
      const ended = make
        ? session.prompt("go")
        : asker.call("ask", { key: "k", questions: [{ question: "Which?" }] });
      await all.asked((seen.all as Seen).as);

      for (const [kind, client] of clients) {
        await client.settled();
        const sent = client.received.filter(({ params }) =>
          [short, "ApprovalRequest", "QuestionRequest"].includes(params?.type ?? ""),
        );
        const expected = seen[kind];
        const types = expected === nothing ? [] : [expected === short ? short : expected.as];
        expect([kind, sent.map(({ params }) => params?.type)]).toEqual([kind, types]);
        if (typeof expected === "object")
          expect([kind, featuresOf(sent[0] as Message)]).toEqual([kind, expected.has]);
      }

      const answering = clients.get(answers) as ReturnType<typeof extended>;
      const { as, says, lost = [] } = seen[answers] as Seen;
      const asked = answering.received.find(({ params }) => params?.type === as) as Message;
      if (answers.startsWith("base")) {
        const reply = as === "ApprovalRequest" ? says : { answers: says };
        answering.reply(asked, { request_id: asked.id, ...reply });
      } else {
        expect((await answering.answer({ id: String(payload(asked).id) }, says)).error).toBeUndefined();
      }
      await ended;
      await all.settled();
      const [outcome] = all.events("InteractionSettled").map(({ payload }) => payload.outcome as Outcome);
      const { status, degraded = [] } = outcome as Outcome;
      expect([status, degraded.map(({ feature }) => feature)]).toEqual(["answered", lost]);
    },
  );
});
