import { createHash } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { visibleLine, visibleText } from "@askwire/client/text";
import {
  type HeardSession,
  linkedPair,
  type Unrecognized,
  WireError,
  type WireEvent,
} from "@askwire/protocol";
import { sessionFolder, shareFolder } from "@askwire/server";
import { agentFor, commandServer } from "../agents/agent-server.js";
import { type KeptSessions, keptSessions } from "../agents/kept-sessions.js";
import type { ServedAgent } from "../agents/named-agent.js";
import type { ChatOptions } from "../command-line/chat.js";
import { columnsOf, paintFor } from "../device/paint.js";
import { usageFailure } from "../input/failure.js";
import { clientToken } from "../input/token.js";
import { openLines } from "../lines/lines.js";
import { personAtTerminal } from "../panel/person-at-terminal.js";
import type { TerminalPerson } from "../panel/terminal-person.js";
import { waitingSessions } from "../sessions/found.js";
import { keptDrafts } from "../sessions/kept-drafts.js";
import { connectionLine } from "../terminal/connection-line.js";
import { converse } from "../terminal/conversation.js";
import { joinedConversation } from "../terminal/joined-conversation.js";
import { chooseSession, type SessionChoice } from "../terminal/session-list.js";
import { setDoNotAsk, switchableAsking } from "../terminal/stop-asking.js";
import { Transcript } from "../terminal/transcript.js";
import { offerWaiting } from "../terminal/waiting-session.js";
import type { ChatWords } from "../words/chat-words.js";
import { languageOf } from "../words/language.js";
import { wordsIn } from "../words/words.js";
import { approvalAtTerminal, serverApprovalAtTerminal } from "./ask-approval.js";

/** Holds a conversation with an agent in the terminal: the command's own agent, or the one that `command` starts. */
export async function chat(command: readonly string[], options: ChatOptions): Promise<void> {
  const { open, goesOn: named, waits, goesOnLater, drafts } = await source(command, options);
  const lines = openLines(process.stdin, process.stdout, { plain: options.plain });
  const paint = paintFor(process.stdout, process.env);
  const words = wordsIn(languageOf(options.lang, process.env));
  const transcript = new Transcript(lines, paint, words, () =>
    lines.asking ? undefined : columnsOf(process.stdout, process.env),
  );
  lines.onFull(() => transcript.line(paint("dim", words.chat.noMoreRoom)));
  const { bell } = options;
  let session: ClientSession | undefined;
  let goesOn = named;
  const cancelTurn = () => void session?.cancel().catch(() => {});
  const stopAsking = () => {
    const asked = session;
    if (asked === undefined || switchableAsking(asked) === undefined) return undefined;
    return () => void setDoNotAsk(asked, true, (line) => transcript.line(paint("dim", line)), words.chat);
  };
  const leavesOut = () => session?.server?.capabilities?.askwire?.skip === true;
  const work = keptDrafts(
    () => drafts(session?.id ?? goesOn),
    () => transcript.line(paint("dim", words.chat.workLost)),
  );
  const person = personAtTerminal(
    { lines, transcript, paint, words, env: process.env },
    { bell, cancelTurn, stopAsking, nobody, leavesOut, work },
  );
  /** Writes to standard error. On the same terminal the text gets its own lines, above a prompt or a panel. */
  const report = (text: string) => {
    if (!lines.interactive || !process.stderr.isTTY) return void process.stderr.write(text);
    transcript.freshLine();
    lines.write(text);
  };
  const told = connectionLine(words.chat);
  const left = new AbortController();
  let code = LEFT;
  const exit = () => {
    person.close();
    lines.close();
    process.exit(code);
  };
  /** Leaves in the middle of a turn. The second call does not wait for the agent's end. */
  const leave = () => {
    if (left.signal.aborted) exit();
    left.abort();
    setTimeout(exit, LEAVE_MS).unref();
  };
  /** Leaves since this client ends. A terminal that is closed says so by a signal too, which is no second call. */
  function end(): void {
    if (!left.signal.aborted) leave();
  }
  /** Leaves since a request is open, and the input has ended. */
  function nobody(): void {
    if (left.signal.aborted) return;
    code = NOBODY;
    transcript.freshLine();
    if (isInterview(command, options)) transcript.line(words.chat.nothingWritten);
    report(`askwire: ${words.chat.nobody(goesOnLater())}\n`);
    end();
  }
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, leave);
  process.on("SIGHUP", end);
  lines.onGone(end);
  lines.onInterrupt(() => {
    if (session === undefined) leave();
  });
  try {
    const client: ConnectOptions = {
      client: { name: "askwire-chat", version: __ASKWIRE_VERSION__ },
      // Without iterating the turn: a question after an event must not be shown before that event.
      handlers: {
        question: (view, context) => person.question(view, context),
        approval: (view, context) => person.approval(view, context),
        event(event) {
          if (event.type === "InteractionSettled") work.drop(event.payload.request_id);
          if (event.type === "InteractionUpdated") person.updated(event.payload);
          transcript.event(untold(event, person));
        },
        // Of an agent that begins here nothing came before; a kept session is told in a line.
        ...(options.connect !== undefined && {
          history: joinedConversation(
            transcript,
            (event) => transcript.event(untold(event, person)),
            paint,
            words.chat,
          ),
        }),
      },
      planMode: true,
      shows: {
        previews: true,
        skip: true,
        deadline: person.showsDeadlines,
        fields: true,
        approvalOptions: true,
        edits: true,
        presence: true,
      },
      onConnection(change) {
        const line = told(change);
        if (line !== undefined) transcript.line(paint("dim", line));
      },
    };
    const choose = (newest: () => Promise<readonly HeardSession[]>) =>
      chooseSession(newest, { lines, tell: (line) => transcript.line(line), words: words.chat });
    const tell = (line: string) => transcript.line(paint("dim", line));
    goesOn ??= await waits?.({ lines, tell, words: words.chat });
    if (left.signal.aborted) return exit();
    const opened = open(report, client, left.signal, {
      choose: lines.interactive ? choose : undefined,
      goesOn,
      onUnkept: (why) => tell(words.chat.notKept(visibleLine(why))),
    });
    session = await Promise.race([opened, once(left.signal, "abort").then(() => undefined)]);
    // An agent that has not introduced itself is ended by the signal.
    if (session === undefined) return left.signal.aborted ? exit() : undefined;
    try {
      const room = { lines, person, transcript, paint, words, report, left: left.signal, leave };
      const interview = isInterview(command, options);
      await converse(session, room, { interview, goesOn, prompt: options.prompt });
    } catch (error) {
      if (!left.signal.aborted) throw error;
    } finally {
      await session.close();
    }
    if (left.signal.aborted) process.exitCode = code;
  } finally {
    person.close();
    lines.close();
  }
}

/** The event without the parts that the lines of an answered panel have told. */
function untold(event: WireEvent | Unrecognized, person: TerminalPerson): WireEvent | Unrecognized {
  if (event.type !== "ToolResult" || !person.hasTold(event.payload.tool_call_id)) return event;
  const { return_value } = event.payload;
  const display = return_value.display.filter(({ type }) => type !== "brief");
  return { ...event, payload: { ...event.payload, return_value: { ...return_value, display } } };
}

/** The exit code of a conversation left in the middle. */
const LEFT = 130;
/** The exit code of a conversation whose input ended at a request, as of `askwire ask` where nobody could be asked. */
const NOBODY = 4;
/** The time for the agent to end after that, in milliseconds. An agent started here is killed earlier. */
const LEAVE_MS = 7_000;

const isInterview = (command: readonly string[], { model, script, connect, agent }: ChatOptions) =>
  command.length === 0 && (model ?? script ?? connect ?? agent) === undefined;

type GoesOnLater = Parameters<ChatWords["nobody"]>[0];

/** Offers to go on with a session that waits for a person. Gives its id, or undefined to begin another. */
type Offer = (place: Omit<Parameters<typeof offerWaiting>[1], "agent">) => Promise<string | undefined>;

type Choose = (newest: () => Promise<readonly HeardSession[]>) => Promise<SessionChoice | undefined>;

interface Source {
  /** The place where an open request goes on without this client: the kept session, the other clients, or none. */
  goesOnLater(): GoesOnLater;
  /**
   * @param signal gives up.
   * @param to.choose asks the person for one of a server's sessions. Default: nobody is asked.
   * @param to.goesOn the id of a kept session. Default: another begins.
   * @param to.onUnkept told why nothing can be kept of a session that begins.
   * @returns undefined where the person chose none.
   */
  open(
    report: (text: string) => void,
    options: ConnectOptions,
    signal: AbortSignal,
    to: {
      readonly choose: Choose | undefined;
      readonly goesOn: string | undefined;
      readonly onUnkept: (why: string) => void;
    },
  ): Promise<ClientSession | undefined>;
  /** Present where no session is named. */
  readonly waits?: Offer;
  /** The id of the session to go on with, if the options name one. */
  readonly goesOn?: string | undefined;
  /** The folder of the unsent answers in a session; undefined where none are kept. */
  drafts(sessionId: string | undefined): string | undefined;
}

/** The folder of the unsent answers in a kept session. */
const draftsOf = (place: KeptSessions["place"], id: string | undefined) =>
  id === undefined ? undefined : join(sessionFolder({ ...place, id }), "drafts");

/** The folder of the unsent answers in a session of a server, which has the folder of the session itself. */
function draftsAt(address: string, id: string | undefined): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { host, pathname } = new URL(address);
  const session = id ?? /^\/wire\/([^/]+)$/.exec(pathname)?.[1];
  const share = shareFolder(process.env, { kimi: false });
  return session === undefined ? undefined : join(share, "drafts", hashOf(`${host} ${session}`));
}

/** The agent that the options name, checked before the terminal is taken. */
async function source(command: readonly string[], options: ChatOptions): Promise<Source> {
  const [executable] = command;
  const { connect: address, model, script, interview, workDir = process.cwd() } = options;
  const sources = {
    "--model": model,
    "--script": script,
    "--interview": interview,
    "--connect": address,
    "--agent": options.agent,
    "-- COMMAND": executable,
  };
  const named = Object.entries(sources).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (named.length > 1)
    throw usageFailure(`chat: ${named.join(" and ")} name different agents: leave one out`);
  if (address !== undefined)
    refuse(options, ["dialect", "keysFile", "yolo", "afk", "out", "session", "continue"]);
  const isForeign = (executable ?? options.agent) !== undefined;
  if (isForeign) refuse(options, ["dialect", "keysFile", "out"]);
  if (address !== undefined) {
    const token = /#./s.test(address) ? undefined : clientToken(options);
    const { connectWebSocket } = await import("@askwire/client/websocket");
    const given = token === undefined ? {} : { token };
    // A script that waits for a lost server would never end.
    const reconnect = process.stdin.isTTY === true;
    const join = (client: ConnectOptions) => connectWebSocket(address, { ...client, ...given, reconnect });
    return {
      goesOnLater: () => "before others",
      drafts: (id) => draftsAt(address, id),
      async open(_report, client, _signal, { choose }) {
        if (choose === undefined || !namesNoSession(address)) return join(client);
        const { client: named } = client;
        const choice = await chosenSession(() => join(named === undefined ? {} : { client: named }), choose);
        return choice && join(choice === "new" ? client : { ...client, session: choice.id });
      },
    };
  }
  if (isForeign) return foreignSource(command, workDir, options);
  const agent = await agentFor({ ...options, askServerApproval: serverApprovalAtTerminal(options.lang) });
  const { place, sessionId } = keptSessions(options, workDir, { kimi: false });
  const keeping = keepingOf(place);
  return {
    goesOn: sessionId,
    ...keeping,
    ...(sessionId === undefined &&
      options.prompt === undefined && {
        waits: (room) => offerWaiting(waitingSessions(place), { ...room, agent: agent.agentName }),
      }),
    open: (report, client, _signal, { goesOn, onUnkept }) =>
      throughServer(agent, options, { ...keeping.of(goesOn, onUnkept), report }, client),
  };
}

interface Keeping extends KeptSessions {
  /** Told why a session that begins cannot be kept. Undefined where one is named, which then cannot be opened. */
  readonly onUnkept: ((why: string) => void) | undefined;
}

/** The place where a session is kept. Once keeping it has failed, nothing is promised and no draft is written. */
function keepingOf(place: KeptSessions["place"]) {
  let isKept = true;
  return {
    goesOnLater: (): GoesOnLater => (isKept ? "kept" : "nowhere"),
    drafts: (id: string | undefined) => (isKept ? draftsOf(place, id) : undefined),
    of: (sessionId: string | undefined, told: (why: string) => void): Keeping => ({
      place,
      sessionId,
      onUnkept:
        sessionId === undefined
          ? (why) => {
              isKept = false;
              told(why);
            }
          : undefined,
    }),
  };
}

/** A conversation with an agent over a server in this process. */
function throughServer(
  agent: ServedAgent,
  options: ChatOptions,
  { place, sessionId, onUnkept, report }: Keeping & { readonly report: (line: string) => void },
  client: ConnectOptions,
): Promise<ClientSession> {
  const server = commandServer({
    ...agent,
    place,
    onUnkept,
    writeLog: report,
    yolo: options.yolo ?? false,
    attendance: options.afk ? "decline" : "attended",
    resume: options.resume,
    // The reader of the error runs the agent too.
    rawErrors: true,
  });
  const { left, right } = linkedPair();
  const { closed } = server.connect(left, sessionId === undefined ? {} : { sessionId });
  return connect(right, client).then((session) => {
    const { close } = session;
    return Object.assign(session, {
      async close() {
        await close();
        // The agent may have a process of its own.
        await closed;
      },
    });
  });
}

/**
 * The agent that a program is. One of the wire is talked to without a server in between, unless options of the session
 * need one.
 */
async function foreignSource(command: readonly string[], cwd: string, options: ChatOptions): Promise<Source> {
  const { eitherProtocol } = await import("@askwire/agents/acp");
  const { firstOnly, foreignAgent, servedAgent, slowStart, START_MS, startedAgent } = await import(
    "../agents/relayed-agent.js"
  );
  const { introducedAgent } = await import("../agents/introduced-agent.js");
  const foreign = await foreignAgent(command, options, cwd, approvalAtTerminal(options.lang));
  const [executable, ...args] = foreign.command;
  const { place, sessionId } = keptSessions(options, cwd, { kimi: false });
  const needsServer = foreign.protocol === "acp" || sessionId !== undefined || options.yolo || options.afk;
  const keeping = keepingOf(place);
  return {
    goesOn: sessionId,
    // A program that is talked to directly has its sessions to itself.
    goesOnLater: () => (needsServer ? keeping.goesOnLater() : "nowhere"),
    drafts: (id) => (needsServer ? keeping.drafts(id) : undefined),
    async open(report, client, signal, { onUnkept }) {
      const line = (text: string) => report(`askwire: ${text}\n`);
      const through = (agent: ServedAgent) =>
        throughServer(agent, options, { ...keeping.of(sessionId, onUnkept), report }, client);
      if (needsServer) {
        const started = await startedAgent(foreign, cwd, { line, log: report, signal });
        return through(servedAgent(started, foreign.command));
      }
      const directly = (wrap?: Parameters<Parameters<typeof eitherProtocol>[0]>[0]) =>
        connectProcess(executable, args, {
          ...client,
          cwd,
          env: foreign.env,
          onStderr: report,
          onProblem: firstOnly((problem) => line(`from "${executable}": ${visibleText(problem)}`)),
          onSlowStart: (printed) => line(slowStart(executable, printed)),
          initializeTimeoutMs: START_MS,
          signal,
          ...(wrap !== undefined && { through: wrap }),
        });
      const found = foreign.protocol === "wire" ? await directly() : await eitherProtocol(directly);
      return "channel" in found ? through(introducedAgent(foreign, found, report)) : found;
    },
  };
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

const namesNoSession = (address: string) => URL.canParse(address) && new URL(address).pathname === "/wire";

/**
 * Asks for one of a server's sessions over a connection of its own, whose new session is closed again. A server without
 * a list has new sessions only.
 */
async function chosenSession(
  open: () => Promise<ClientSession>,
  choose: Choose,
): Promise<SessionChoice | undefined> {
  const session = await open();
  const newest = async () => (await session.listSessions()).filter(({ id }) => id !== session.id);
  try {
    return await choose(newest);
  } catch (error) {
    if (error instanceof WireError && error.is("MethodNotFound")) return "new";
    throw error;
  } finally {
    await (session.id && session.closeSession(session.id).catch(() => {}));
    await session.close();
  }
}

/** Refuses options of the command's own agent, since another one has its own settings. */
function refuse(options: ChatOptions, names: readonly (keyof ChatOptions)[]): void {
  const given = names.find((name) => options[name] !== undefined);
  const flag = given?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (flag !== undefined) throw usageFailure(`chat: --${flag} is for this command's own agent: leave it out`);
}
