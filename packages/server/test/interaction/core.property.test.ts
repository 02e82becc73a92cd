import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AnyInteraction,
  type Attendance,
  attendances,
  InteractionCore,
} from "../../src/interaction/core.js";
import type { QuestionRequest } from "../../src/interaction/question-request.js";
import { Scope } from "../../src/interaction/scope.js";
import { drivenClock } from "../driven-clock.js";
import { chose, dismissal, ended, question, type Watcher, watcher, word } from "./asked.js";

const MAX_OPEN = 4;
/** Scopes by index, each with its parent's: a session, two turns, a sub-agent and one inside it. */
const parents = [-1, 0, 0, 1, 3];
const clients = ["a", "b", "c"] as const;

const step = fc.oneof(
  fc.record({ do: fc.constant("open"), scope: fc.nat(parents.length - 1) }),
  fc.record({ do: fc.constant("open"), scope: fc.nat(parents.length - 1) }),
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
  #graces: number[] = [];
  #now = 0;

  get open(): Expected[] {
    return this.requests.filter(({ ending }) => ending === undefined);
  }

  begin(scope: number): void {
    const asked: Expected = { scope, shownTo: new Set(), failed: new Set(), why: "client_lost" };
    const before = this.open.length;
    this.requests.push(asked);
    const able = [...this.clients.values()].some(({ canAsk }) => canAsk);
    if (this.attendance === "decline") return this.end(asked, "unavailable/unattended");
    if (before >= MAX_OPEN) return this.end(asked, "unavailable/limit");
    if (this.attendance === "attended" && this.#graces.length === 0 && !able) {
      return this.end(asked, `unavailable/${this.clients.size === 0 ? "unattended" : "unsupported"}`);
    }
    for (const [id, client] of this.clients) this.offer(asked, id, client, false);
    this.giveUp([asked]);
  }

  offer(asked: Expected, id: string, { canAsk, onShow }: ExpectedClient, alone: boolean): void {
    if (asked.ending !== undefined || !canAsk || asked.shownTo.has(id) || asked.failed.has(id)) return;
    asked.shownTo.add(id);
    if (onShow === "answer") this.end(asked, `answered by ${id}`);
    if (onShow !== "fail") return;
    this.takeOff(asked, id);
    if (alone) this.giveUp([asked]);
  }

  takeOff(asked: Expected, id: string): void {
    if (!asked.shownTo.delete(id)) return;
    asked.failed.add(id);
    asked.why = "protocol_error";
  }

  detach(id: string, grace: number): void {
    if (!this.clients.delete(id)) return;
    for (const asked of this.open) if (asked.shownTo.delete(id)) asked.why = "client_lost";
    if (grace > 0) this.#graces.push(this.#now + grace);
    else this.giveUp(this.open);
  }

  advance(ms: number): void {
    const past = this.#now + ms;
    const over = this.#graces.filter((at) => at <= past).length;
    this.#graces = this.#graces.filter((at) => at > past);
    this.#now = past;
    if (over > 0) this.giveUp(this.open);
  }

  giveUp(among: Expected[]): void {
    if (this.attendance === "hold" || this.#graces.length > 0) return;
    for (const asked of among) if (asked.shownTo.size === 0) this.end(asked, `unavailable/${asked.why}`);
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
async function ending(request: QuestionRequest): Promise<string> {
  const answers = await request.wait().catch(() => undefined);
  const value = answers?.["Which?"];
  return value === undefined ? (word(request.outcome) as string) : `answered by ${value}`;
}

test("however asking, answering, failing, leaving and ending interleave, each request ends once, as the rules say", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 70, size: "max" }), async (steps) => {
      const rules = new Rules();
      const clock = drivenClock();
      const endings = new Map<string, number>();
      const core = new InteractionCore({
        attendance: () => rules.attendance,
        maxOpen: MAX_OPEN,
        clock,
        onSettled: ({ id }) => void endings.set(id, (endings.get(id) ?? 0) + 1),
      });
      const scopes: Scope[] = [];
      for (const parent of parents) scopes.push(new Scope(scopes[parent]));
      const requests: QuestionRequest[] = [];
      const waits: Promise<string>[] = [];
      const watchers: Watcher[] = [];
      const by = (id: string) => () => chose(id);

      function attach(id: string, { canAsk, onShow }: ExpectedClient): void {
        const client = watcher(id, {
          canAsk,
          onShow({ id: request }: AnyInteraction) {
            if (onShow === "answer") core.answer(request, id, by(id));
            if (onShow === "fail") core.fail(request, id, "protocol_error");
          },
        });
        watchers.push(client);
        rules.clients.set(id, { canAsk, onShow });
        for (const asked of rules.open) rules.offer(asked, id, { canAsk, onShow }, true);
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
        if (now.do === "open" && "scope" in now) {
          const made = question();
          requests.push(made);
          waits.push(ending(made));
          rules.begin(now.scope);
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
          core.answer(request.id, client, by(client));
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
          expect(request.resolve({ "Which?": "hand" })).toBe(first);
        } else {
          const first = asked.ending === undefined;
          rules.end(asked, "withdrawn/agent");
          expect(request.reject(new Error("given up"))).toBe(first);
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
      for (const way of expected) seen.add(way ?? "");
    }),
    { numRuns: 700 },
  );
  // The steps are mixed well enough that every way of ending came about.
  expect([...seen].map((way) => way.replace(/ by [abc]$/, "")).sort()).toEqual(
    expect.arrayContaining([
      "answered",
      "answered by hand",
      "declined/dismissed",
      "unavailable/client_lost",
      "unavailable/limit",
      "unavailable/protocol_error",
      "unavailable/unattended",
      "unavailable/unsupported",
      "withdrawn/agent",
      "withdrawn/interrupted",
    ]),
  );
});
