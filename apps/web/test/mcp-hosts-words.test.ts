import { readFile } from "node:fs/promises";
import type { ApprovalReply, QuestionReply } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { deferred } from "../../../scripts/deferred.js";
import { gatewayOf, newHome, untilThere } from "../../cli/test/mcp/hosts.js";
import { type HostCall, hostsFolder, startRealHost } from "./host-run.js";
import { realHosts } from "./real-hosts.js";

const questions = [
  { question: "Which size?", options: [{ label: "S" }, { label: "L" }] },
  {
    ...{ question: "Which targets?", multi_select: true },
    options: [{ label: "linux" }, { label: "mac, arm" }],
  },
  { question: "Which name?" },
];
const items = [
  { question_id: "q1", selected: ["q1_o2"] },
  { question_id: "q2", selected: ["q2_o1", "q2_o2"], own_text: "bsd" },
  { question_id: "q3", selected: [], skipped: true },
];
const noted = [{ ...items[0], note: "only in blue" }, ...items.slice(1)];

const ask: HostCall = { tool: "ask_user_question", given: { questions } };
const deploy: HostCall = {
  tool: "ask_user_approval",
  given: { action: "deploy", description: "Deploy shop to production", command: "make deploy" },
};

/** The calls in their order, by the rows of docs/mcp.md. */
const rows: readonly (readonly [row: string, call: HostCall])[] = [
  ["answered", ask],
  ["noted", ask],
  ["declined", ask],
  ["discussed", ask],
  ["invalid", { ...ask, given: { questions: [{ question: "" }] } }],
  ["open", ask],
  ["late", ask],
  ["approved", deploy],
  ["rejected", deploy],
  ["approval open", deploy],
];
const OPEN = rows.findIndex(([row]) => row === "open");

type Reply = QuestionReply | ApprovalReply | Promise<never>;

/** Somebody who replies to each request in turn. */
async function personWith(home: string, replies: readonly (Reply | Promise<Reply>)[]) {
  const { address } = await untilThere(() => gatewayOf(home));
  let settled = 0;
  let asked = 0;
  const next = () => (replies[asked++] ?? new Promise<never>(() => {})) as never;
  const session = await connectWebSocket(address, {
    client: { name: "person" },
    shows: { notes: true, skip: true, approvalOptions: true },
    handlers: {
      question: next,
      approval: next,
      event({ type }) {
        if (type === "InteractionSettled") settled += 1;
      },
    },
  });
  onTestFinished(() => session.close());
  return { untilSettled: (count: number) => untilThere(() => (settled >= count ? true : undefined)) };
}

/** The words of docs/mcp.md for each end. */
async function toldTable(): Promise<Map<string, string>> {
  const page = await readFile(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- told -->\n([\s\S]*?)<!-- \/told -->/.exec(page) ?? [];
  const cells = table.split("\n").map((line) => /^\| ([^|]*) \| (.*) \|$/.exec(line));
  return new Map(cells.map((cell) => [cell?.[1] ?? "", cell?.[2]?.replaceAll("<br>", "\n") ?? ""]));
}

const plain = (text: string) =>
  text
    .replace(/\nThe person answers them where[^\n]*/, "")
    .replace(/mcp-[\w.-]+/g, "HANDLE")
    .replace(/\d\d:\d\d/g, "08:21")
    .trim();

for (const host of realHosts) {
  test.skipIf(hostsFolder === undefined)(
    `the model behind ${host.name} is sent the words of docs/mcp.md for every end of a call`,
    async () => {
      const home = await newHome();
      const late = deferred<Reply>();
      const person = deferred<Awaited<ReturnType<typeof personWith>>>();
      const { ended, printed, told } = await startRealHost(
        host,
        home,
        rows.map(([, call]) => call),
        {
          args: ["--timeout", "20"],
          async heard(results) {
            if (results.length !== OPEN + 1) return;
            late.resolve({ items });
            await (await person.promise).untilSettled(OPEN);
          },
        },
      );
      const declined = (how: "dismissed" | "discuss", note: string) => ({ declined: how, note });
      const said: (Reply | Promise<Reply>)[] = [
        { items },
        { items: noted } as Reply,
        declined("dismissed", "not now"),
        declined("discuss", "why not both?"),
        late.promise,
        { option: "approve", feedback: "carefully" },
        { option: "reject", feedback: "on Monday" },
      ];
      person.resolve(await personWith(home, said));
      expect(await ended, printed()).toEqual([0, null]);
      const table = await toldTable();
      // An error is sent as its text by every host.
      const read = told().map((text) =>
        host.reads === "structure" && text.startsWith("{") ? JSON.parse(text).message : text,
      );
      expect(read.map(plain)).toEqual(rows.map(([row]) => table.get(row)));
    },
    300_000,
  );
}
