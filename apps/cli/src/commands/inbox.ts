import { terminalWords } from "@askwire/client/words";
import { shareFolder } from "@askwire/server";
import type { InboxAnswerOptions, InboxOptions } from "../command-line/inbox.js";
import { type Clock, processClock } from "../device/clock.js";
import { answerRow } from "../inbox/answer-row.js";
import { keptPlace } from "../inbox/kept-place.js";
import { machinePlaces, serverPlace } from "../inbox/places.js";
import { type PrintedForm, printed } from "../inbox/printed.js";
import { reopenedAgents } from "../inbox/reopened-agent.js";
import { checkSaid, saidApproval, saidReply } from "../inbox/said-answer.js";
import { type InboxRow, type InboxTold, type Place, Waiting, type Watched } from "../inbox/waiting.js";
import { checkedAddress, hasToken } from "../input/addresses.js";
import { onEndSignal } from "../input/end-signals.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { languageOf } from "../input/language.js";
import { clientToken } from "../input/token.js";

/** The time in which servers say what waits, in milliseconds. */
const WAIT_MS = 3_000;

type ServerOptions = Pick<InboxOptions, "connect" | "tokenFile"> &
  Partial<Pick<InboxOptions, "mine" | "toMe">>;

/** Shows everything that waits for this person. */
export async function showInbox(options: InboxOptions): Promise<void> {
  const { once, json, count, wait } = options;
  if (json && count) throw usageFailure("inbox: --json and --count print different things: leave one out");
  if (wait !== undefined && !once) throw usageFailure("inbox: --wait needs --once");
  if (once) return printOnce(options);
  if (json || count) return follow(options);
  const { inboxAtTerminal } = await import("./inbox-at-terminal.js");
  await inboxAtTerminal(options, (told) => watched(options, told));
}

/** Watches all places of this person. */
function watched(
  { connect = [], tokenFile, mine, toMe, lang }: ServerOptions & Pick<InboxOptions, "lang">,
  told: InboxTold,
): Watched {
  const home = shareFolder(process.env, { kimi: false });
  const words = terminalWords[languageOf(lang, process.env)].inbox;
  const clock: Clock = processClock;
  const token = !connect.every(hasToken) ? clientToken({ ...(tokenFile && { tokenFile }) }) : undefined;
  const named = connect.map((address) => namedPlace(address, token));
  const agents = reopenedAgents(home);
  const kept = keptPlace({ home, name: words.kept, clock, reopen: agents.reopen });
  const places = (): Place[] => [...machinePlaces(home, words.gateway), ...named, kept];
  const waiting = new Waiting({ places, clock, mine, toMe, ...told });
  return {
    waiting,
    close() {
      waiting.close();
      agents.close();
    },
  };
}

/** @throws Failure for a text that is no address, without its secret. */
const namedPlace = (address: string, token: string | undefined): Place =>
  serverPlace({
    ...{ key: address, name: checkedAddress(address).host, address },
    ...{ token: hasToken(address) ? undefined : token, kept: true },
  });

/** Prints what waits, once all servers have said it or the time is over. */
async function printOnce(options: InboxOptions): Promise<void> {
  const { wait, lang } = options;
  const words = terminalWords[languageOf(lang, process.env)].inbox;
  const { waiting, close } = await wholeList(options, wait === undefined ? WAIT_MS : wait * 1_000);
  try {
    await write(printed(waiting, options, { now: Date.now(), words }));
    if (waiting.rows.length === 0 && !options.json && !options.count)
      process.stderr.write(`${words.empty}\n`);
    for (const { name, state, why } of waiting.places)
      if (state !== "here" && !options.json)
        process.stderr.write(`askwire: inbox: ${name} did not say what waits${why ? ` (${why})` : ""}\n`);
  } finally {
    close();
  }
}

/** Resolves with the list once it is whole, or when the time is over. */
function wholeList(options: ServerOptions & Pick<InboxOptions, "lang">, ms: number): Promise<Watched> {
  return new Promise((resolve) => {
    const look = () => {
      if (!all.waiting.isWhole) return;
      stop();
      resolve(all);
    };
    const all = watched(options, { changed: look });
    const stop = processClock.after(ms, () => resolve(all));
  });
}

/** Prints what waits whenever that changes, until the reader is gone or a signal comes. */
async function follow(options: PrintedForm & ServerOptions & Pick<InboxOptions, "lang">): Promise<void> {
  const words = terminalWords[languageOf(options.lang, process.env)].inbox;
  let last: string | undefined;
  const changed = () => {
    if (last === undefined && !all.waiting.isWhole) return;
    const text = printed(all.waiting, options, { now: Date.now(), words });
    if (text === last) return;
    last = text;
    // A count of nothing is an empty line here, so that a reader sees the change.
    process.stdout.write(text === "" ? "\n" : text);
  };
  const all: Watched = watched(options, { changed });
  await new Promise<void>((resolve) => {
    onEndSignal(resolve);
  });
  all.close();
}

/** Answers one request, as a script says it. */
export async function answerFromScript(id: string, options: InboxAnswerOptions): Promise<void> {
  checkSaid(options);
  const { waiting, close } = await wholeList(options, WAIT_MS);
  try {
    const row = rowOf(id, waiting.rows);
    let failure: Error | undefined;
    const leave = new AbortController();
    /** Sends a reply only if it fits. */
    const said = <Reply>(
      reply: () => Reply,
      issues: readonly { readonly message: string }[],
    ): Reply | Promise<Reply> => {
      try {
        if (issues.length === 0) return reply();
        failure = new CommandFailure(
          `inbox answer: the server did not take it: ${issues.map(({ message }) => message).join("; ")}`,
        );
      } catch (error) {
        failure = error as Error;
      }
      leave.abort();
      return new Promise<Reply>(() => {});
    };
    let isSent = false;
    const end = await answerRow(
      row,
      {
        shows: { fields: true, approvalOptions: true, skip: true, quorum: true },
        question: (view, { issues }) => said(() => saidReply(view, options), issues),
        approval: (view, { issues }) => said(() => saidApproval(view, options), issues),
        answered: () => {
          isSent = true;
        },
      },
      { signal: leave.signal, clock: processClock },
    );
    if (failure !== undefined) throw failure;
    if (end === "left" || end === "not there")
      throw new CommandFailure(`inbox answer: ${id} no longer waits`);
    if (end === "counted") return await write("approved: others must approve it too\n");
    const { status, client } = end.settled ?? { status: "settled" };
    if (!isSent || client?.name !== "askwire-inbox")
      throw new CommandFailure(`inbox answer: ${id} was settled before: ${status}`);
    await write(`${status}\n`);
  } finally {
    close();
  }
}

/** @throws Failure for an id of no request, or of several. */
function rowOf(id: string, rows: readonly InboxRow[]): InboxRow {
  const [row, another] = rows.filter(({ request }) => request.request_id === id);
  if (row === undefined)
    throw usageFailure(
      `inbox answer ${id}: no request of this id waits: "askwire inbox --once --json" lists them`,
    );
  if (another !== undefined)
    throw usageFailure(`inbox answer ${id}: two servers have a request of this id: answer it at one of them`);
  return row;
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}
