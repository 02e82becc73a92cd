import { type EndedAs, type Ending, type EndingName, endings } from "@askwire/protocol";
import { expect, test } from "vitest";
import type { ServerOptions } from "../../src/index.js";
import { drivenClock } from "../driven-clock.js";
import { until } from "../until.js";
import { approval, asking, meetExtended, question } from "./extended-client.js";

const kinds = ["question", "approval"] as const;
type Kind = (typeof kinds)[number];
type Way = "shared" | "kept" | "unkept";
const graceMs = 30_000;
const clock = drivenClock();

/** What a session is told of that has one request open, and how it comes to that end. */
interface Played {
  /** Default: none. */
  readonly options?: Partial<ServerOptions>;
  /** Default: both. */
  readonly kinds?: readonly Kind[];
  /** Default: a question without a deadline. */
  readonly deadline?: boolean;
  end(session: Awaited<ReturnType<typeof opened>>): Promise<void> | void;
}

const played: Partial<Record<EndingName, Played>> = {
  cancel: {
    async end({ one, prompt }) {
      await one.call("cancel");
      await prompt;
    },
  },
  socket_lost: {
    async end({ one, lost, session }) {
      const { connections } = session;
      one.close();
      await lost;
      await until(() => session.connections < connections);
      clock.advance(graceMs);
    },
  },
  taken_back: { end: ({ request }) => void request.reject(new Error("not needed any more")) },
  policy: { options: { attendance: "decline", yolo: true }, end() {} },
  deadline: { kinds: ["question"], deadline: true, end: () => clock.advance(60_000) },
};

/** A session with one request, before one client alone or before two. */
async function opened(kind: Kind, way: Way, { options = {}, deadline = false }: Played) {
  const ms = { ms: 60_000, on_expiry: "cancel" as const };
  const request = kind === "question" ? question(deadline ? { deadline: ms } : {}) : approval();
  const set = asking(() => [request], {
    clock,
    ...(way === "kept" && { attendance: "hold" as const }),
    ...options,
  });
  const session = set.server.createSession();
  const { client: one, closed: lost } = await meetExtended(set, { session, graceMs });
  const two = way === "shared" ? (await meetExtended(set, { session, graceMs })).client : undefined;
  const prompt = session.prompt("go").catch(() => {});
  await until(() => set.opened.length > 0);
  if (!request.resolved) {
    for (const client of [one, two])
      await client?.asked(kind === "question" ? "QuestionRequest" : "ApprovalRequest");
  }
  return { ...set, session, one, two, lost, prompt, request };
}

const rows = Object.entries(played).flatMap(([name, play]) =>
  (play.kinds ?? kinds).flatMap((kind) =>
    (["shared", "kept", "unkept"] as const).map((way) => ({ name: name as EndingName, kind, way, play })),
  ),
);

test.each(rows)(
  "$name ends a $kind ($way) as the table says (P-WHO-1)",
  async ({ name, kind, way, play }) => {
    const ending: Ending = endings[name];
    const ended: EndedAs = ending[kind][way];
    const set = await opened(kind, way, play);
    await play.end(set);
    const { request, two } = set;
    await two?.settled();
    const told = two?.events("InteractionSettled").map(({ payload }) => payload) ?? [];
    if (ended === "open") {
      expect([request.outcome, told]).toEqual([undefined, []]);
    } else {
      const { response, ...outcome } = ended;
      await until(() => request.resolved);
      expect(request.outcome).toMatchObject(outcome);
      if (response !== undefined) expect(await request.wait()).toMatchObject({ response });
      // What a policy decided was sent to nobody.
      if (two !== undefined && name !== "policy") expect(told).toMatchObject([{ outcome }]);
    }
    expect(request.outcome?.by === "human").toBe(ending.isAct && ended !== "open");
    await set.session.close();
  },
);
