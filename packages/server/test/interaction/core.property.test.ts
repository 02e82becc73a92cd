import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type AnyInteraction, type Attendance, attendances, type Settlement } from "../../src/index.js";
import { InteractionCore } from "../../src/requests/core.js";
import { failedToolResult } from "../../src/requests/external-tool-call.js";
import { outcomeNow } from "../../src/requests/interaction.js";
import { Scope } from "../../src/requests/scope.js";
import { drivenClock } from "../driven-clock.js";
import {
  approval,
  chose,
  dismissal,
  ended,
  hookCall,
  question,
  toolCall,
  type Watcher,
  watcher,
  word,
} from "./asked.js";

const MAX_OPEN = 4;
/** Scopes by index, each with its parent's: a session, two turns, a sub-agent and one inside it. */
const parents = [-1, 0, 0, 1, 3];
const clients = ["a", "b", "c"] as const;

/** Every kind of request: how one is made, how `who` answers it, and who did. */
const kinds = {
  question: { make: question, answer: chose, read: answeredQuestion },
  subagent_question: { make: subagentQuestion, answer: chose, read: answeredQuestion },
  approval: {
    make: () => approval(),
    answer: (who: string) => answered({ response: "approve", feedback: who }),
    read: (answer: unknown) => (answer as { feedback: string }).feedback,
  },
  tool_call: {
    make: (owner: string) => toolCall(owner),
    answer: (who: string) => answered(failedToolResult(who, "")),
    read: (answer: unknown) => (answer as { message: string }).message,
  },
  hook: {
    make: (owner: string) => hookCall(owner),
    answer: (who: string) => answered({ action: "block", reason: who }),
    read: (answer: unknown) => (answer as { reason: string }).reason,
  },
};
type Kind = keyof typeof kinds;
const isForClient = (kind: Kind) => kind === "tool_call" || kind === "hook";

function answered<T>(answer: T): Settlement<T> {
  return { outcome: outcomeNow("answered", { by: "system" }), answer };
}

function answeredQuestion(answer: unknown): string | undefined {
  return (answer as { answers: Record<string, string> }).answers["Which?"];
}

function subagentQuestion(): AnyInteraction {
  const made = question();
  made.origin = { agent_id: "agent", subagent_type: "coder" };
  return made;
}

const opening = fc.record({
  do: fc.constant("open"),
  kind: fc.constantFrom<Kind[]>("question", "question", "approval", "tool_call", "hook"),
  owner: fc.nat(2),
  scope: fc.nat(parents.length - 1),
});

const step = fc.oneof(
  opening,
  opening,
  fc.record({
    do: fc.constant("open"),
    kind: fc.constant<Kind>("subagent_question"),
    owner: fc.nat(2),
    scope: fc.nat(parents.length - 1),
  }),
  fc.record({
    do: fc.constant("attach"),
    client: fc.nat(2),
    canAsk: fc.constantFrom(true, true, true, false),
    onShow: fc.constantFrom("wait", "wait", "wait", "answer", "fail"),
  }),
  fc.record({ do: fc.constant("answer"), client: fc.nat(2), request: fc.nat(4) }),
  fc.record({ do: fc.constant("decline"), client: fc.nat(2), request: fc.nat(4) }),
  fc.record({ do: fc.constant("fail"), client: fc.nat(2), request: fc.nat(4) }),
  fc.record({ do: fc.constant("detach"), client: fc.nat(2), grace: fc.constantFrom(0, 10, 30) }),
  fc.record({ do: fc.constant("advance"), ms: fc.constantFrom(5, 10, 30) }),
  fc.record({ do: fc.constant("settleScope"), scope: fc.nat(parents.length - 1) }),
  fc.record({ do: fc.constant("resolve"), request: fc.nat(4) }),
  fc.record({ do: fc.constant("reject"), request: fc.nat(4) }),
  fc.record({
    do: fc.constant("attendance"),
    to: fc.constantFrom("attended" as const, "attended" as const, ...attendances),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What is expected of one request: plain data beside the core's own. */
interface Expected {
  readonly kind: Kind;
  readonly owner: string;
  readonly scope: number;
  readonly shownTo: Set<string>;
  readonly failed: Set<string>;
  why: string;
  ending?: string;
}
interface ExpectedClient {
  readonly canAsk: boolean;
  readonly onShow: string;
}

/** The rules, said a second time and without a core: what each step must lead to. */
class Rules {
  readonly requests: Expected[] = [];
  readonly clients = new Map<string, ExpectedClient>();
  readonly told = new Map<string, number[]>(clients.map((id) => [id, []]));
  attendance: Attendance = "attended";
  #graces: { at: number; id: string }[] = [];
  #now = 0;

  get open(): Expected[] {
    return this.requests.filter(({ ending }) => ending === undefined);
  }

  begin(kind: Kind, owner: string, scope: number): void {
    const shownTo = new Set<string>();
    const asked: Expected = { kind, owner, scope, shownTo, failed: new Set(), why: "client_lost" };
    const before = this.open.length;
    this.requests.push(asked);
    const refused = this.refusal(kind, owner, before >= MAX_OPEN);
    if (refused !== undefined) return this.end(asked, `unavailable/${refused}`);
    // Each client that can be asked counts as asked before the first one hears of it.
    const audience = [...this.clients].filter(([id, client]) => this.canBeAsked(asked, id, client));
    for (const [id] of audience) shownTo.add(id);
    for (const [id, client] of audience) this.hear(asked, id, client);
    this.giveUp([asked]);
  }

  refusal(kind: Kind, owner: string, isFull: boolean): string | undefined {
    if (isForClient(kind) && !this.clients.has(owner)) return "client_lost";
    if (isForClient(kind)) return isFull ? "limit" : undefined;
    if (kind === "subagent_question") return "subagent";
    if (this.attendance === "decline") return "unattended";
    if (isFull) return "limit";
    if (this.attendance === "hold" || this.#graces.length > 0) return undefined;
    if (this.clients.size === 0) return "unattended";
    const able = kind === "approval" || [...this.clients.values()].some(({ canAsk }) => canAsk);
    return able ? undefined : "unsupported";
  }

  canBeAsked({ kind, owner }: Expected, id: string, { canAsk }: ExpectedClient): boolean {
    return isForClient(kind) ? owner === id : canAsk || kind === "approval";
  }

  hear(asked: Expected, id: string, { onShow }: ExpectedClient): void {
    if (asked.ending !== undefined) return;
    if (onShow === "answer") this.end(asked, `answered by ${id}`);
    if (onShow === "fail") this.takeOff(asked, id);
  }

  offer(asked: Expected, id: string, client: ExpectedClient): void {
    if (asked.ending !== undefined || asked.shownTo.has(id) || asked.failed.has(id)) return;
    if (!this.canBeAsked(asked, id, client)) return;
    asked.shownTo.add(id);
    this.hear(asked, id, client);
    if (client.onShow === "fail") this.giveUp([asked]);
  }

  takeOff(asked: Expected, id: string): void {
    if (!asked.shownTo.delete(id)) return;
    asked.failed.add(id);
    asked.why = "protocol_error";
  }

  detach(id: string, grace: number): void {
    if (!this.clients.delete(id)) return;
    for (const asked of this.open) if (asked.shownTo.delete(id)) asked.why = "client_lost";
    if (grace > 0) this.#graces.push({ at: this.#now + grace, id });
    else this.giveUp(this.open);
  }

  /** One that is there already is replaced: the new one is shown what the other had. */
  attach(id: string, client: ExpectedClient): void {
    this.clients.set(id, client);
    this.#graces = this.#graces.filter((grace) => grace.id !== id);
    for (const asked of this.open) {
      asked.shownTo.delete(id);
      this.offer(asked, id, client);
    }
    this.giveUp(this.open);
  }

  advance(ms: number): void {
    const past = this.#now + ms;
    const over = this.#graces.filter(({ at }) => at <= past).length;
    this.#graces = this.#graces.filter(({ at }) => at > past);
    this.#now = past;
    if (over > 0) this.giveUp(this.open);
  }

  giveUp(among: Expected[]): void {
    for (const asked of among) {
      if (asked.shownTo.size === 0 && !this.mayStillCome(asked)) this.end(asked, `unavailable/${asked.why}`);
    }
  }

  mayStillCome({ kind, owner, failed }: Expected): boolean {
    if (!isForClient(kind)) return this.attendance === "hold" || this.#graces.length > 0;
    return !failed.has(owner) && this.#graces.some(({ id }) => id === owner);
  }

  settleScope(scope: number): void {
    for (const asked of this.open) {
      let at = asked.scope;
      while (at !== -1 && at !== scope) at = parents[at] as number;
      if (at === scope) this.end(asked, "withdrawn/interrupted");
    }
  }

  end(asked: Expected, ending: string): void {
    if (asked.ending !== undefined) return;
    asked.ending = ending;
    for (const id of asked.shownTo) this.told.get(id)?.push(this.requests.indexOf(asked));
  }
}

/** How a request ended, in the words of the rules. */
async function ending(request: AnyInteraction, kind: Kind): Promise<string> {
  const waited = Promise.resolve<unknown>(request.wait()).catch(() => undefined);
  const { outcome, answer } = await new Promise<Settlement<unknown>>((resolve) => request.onSettled(resolve));
  await waited;
  return answer === undefined ? (word(outcome) as string) : `answered by ${kinds[kind].read(answer)}`;
}

test("however asking, answering, failing, leaving and ending interleave, each request of each kind ends once, as the rules say (P-INT-2, P-EXT-4, P-EXT-6)", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 70, size: "max" }), async (steps) => {
      const rules = new Rules();
      const clock = drivenClock();
      const endings = new Map<string, number>();
      const core = new InteractionCore({
        policy: rules,
        maxOpen: MAX_OPEN,
        clock,
        onSettled: ({ id }) => void endings.set(id, (endings.get(id) ?? 0) + 1),
      });
      const scopes: Scope[] = [];
      for (const parent of parents) scopes.push(new Scope(scopes[parent]));
      const requests: AnyInteraction[] = [];
      const waits: Promise<string>[] = [];
      const watchers: Watcher[] = [];

      function answer(requestId: string, id: string): void {
        const at = requests.findIndex((request) => request.id === requestId);
        core.answer(requestId, id, () => kinds[rules.requests[at]?.kind ?? "question"].answer(id));
      }

      function attach(id: string, { canAsk, onShow }: ExpectedClient): void {
        const client = watcher(id, {
          canAsk,
          onShow({ id: request }: AnyInteraction) {
            if (onShow === "answer") answer(request, id);
            if (onShow === "fail") core.fail(request, id, "protocol_error");
          },
        });
        watchers.push(client);
        rules.attach(id, { canAsk, onShow });
        core.attach(client);
      }

      function run(now: Step): void {
        const client = "client" in now ? (clients[now.client] as string) : "";
        const at =
          "request" in now && requests.length > 0
            ? requests.length - 1 - (now.request % requests.length)
            : -1;
        const request = requests[at];
        const asked = rules.requests[at];
        const has = asked?.shownTo.has(client) === true;
        if ("kind" in now) {
          const owner = clients[now.owner] as string;
          const made: AnyInteraction = kinds[now.kind].make(owner);
          requests.push(made);
          waits.push(ending(made, now.kind));
          rules.begin(now.kind, owner, now.scope);
          core.open(made, scopes[now.scope] as Scope);
        } else if ("onShow" in now) attach(client, now);
        else if ("grace" in now) {
          rules.detach(client, now.grace);
          core.detach(client, now.grace);
        } else if ("ms" in now) {
          rules.advance(now.ms);
          clock.advance(now.ms);
        } else if ("to" in now) rules.attendance = now.to;
        else if ("scope" in now) {
          rules.settleScope(now.scope);
          core.settleScope(scopes[now.scope] as Scope, ended);
        } else if (request === undefined || asked === undefined) return;
        else if (now.do === "answer") {
          if (has) rules.end(asked, `answered by ${client}`);
          answer(request.id, client);
        } else if (now.do === "decline") {
          if (has) rules.end(asked, "declined/dismissed");
          core.answer(request.id, client, dismissal);
        } else if (now.do === "fail") {
          if (has && asked.ending === undefined) {
            rules.takeOff(asked, client);
            rules.giveUp([asked]);
          }
          core.fail(request.id, client, "protocol_error");
        } else if (now.do === "resolve") {
          const first = asked.ending === undefined;
          rules.end(asked, "answered by hand");
          expect(request.settle(kinds[asked.kind].answer("hand") as Settlement<never>)).toBe(first);
        } else {
          const first = asked.ending === undefined;
          rules.end(asked, "withdrawn/agent");
          const outcome = outcomeNow("withdrawn", { reason: "agent", by: "system" });
          expect(request.settle({ outcome })).toBe(first);
        }
      }

      for (const now of steps) {
        run(now);
        expect(core.pending().map(({ id }) => requests.findIndex((request) => request.id === id))).toEqual(
          rules.requests.flatMap(({ ending }, index) => (ending === undefined ? [index] : [])),
        );
      }

      rules.settleScope(0);
      core.close(ended);
      expect([core.size, clock.waiting]).toEqual([0, 0]);
      const expected = rules.requests.map((asked) => asked.ending);
      expect(await Promise.all(waits)).toEqual(expected);
      expect(requests.map(({ id }) => endings.get(id))).toEqual(requests.map(() => 1));
      for (const id of clients) {
        const told = watchers.filter((client) => client.id === id).flatMap((client) => client.told);
        const indices = told.map((request) => requests.findIndex((candidate) => candidate.id === request));
        expect(indices.sort((x, y) => x - y)).toEqual(rules.told.get(id)?.sort((x, y) => x - y));
      }
      for (const { kind, ending } of rules.requests) seen.add(`${kind} ${ending}`);
    }),
    { numRuns: 2000 },
  );
  // The steps are mixed well enough that every way of ending came about for every kind.
  const ways = [
    "answered",
    "answered by hand",
    "declined/dismissed",
    "unavailable/client_lost",
    "unavailable/protocol_error",
    "withdrawn/agent",
    "withdrawn/interrupted",
  ];
  const all = (["question", "approval", "tool_call", "hook"] as const).flatMap((kind) =>
    ways.map((way) => `${kind} ${way}`),
  );
  expect([...seen].map((way) => way.replace(/ by [abc]$/, "")).sort()).toEqual(
    expect.arrayContaining([
      ...all,
      "question unavailable/limit",
      "question unavailable/unattended",
      "question unavailable/unsupported",
      "subagent_question unavailable/subagent",
    ]),
  );
  expect([...seen].filter((way) => /^(tool_call|hook) unavailable\/un/.test(way))).toEqual([]);
});
