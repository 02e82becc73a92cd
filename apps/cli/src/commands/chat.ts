import { once } from "node:events";
import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type TerminalWords, terminalWords } from "@askwire/client/words";
import type { AcpChosen } from "@askwire/relays/acp";
import { shareFolder } from "@askwire/server";
import type { ChatOptions } from "../command-line/chat.js";
import { type Paint, paintFor } from "../device/paint.js";
import { languageOf } from "../input/language.js";
import type { LineFeed } from "../lines/line-readers.js";
import { openLines } from "../lines/lines.js";
import { personAtTerminal } from "../panel/person-at-terminal.js";
import type { TerminalPerson } from "../panel/terminal-person.js";
import { againCommand } from "../sessions/again-command.js";
import { type KeptDrafts, keptDrafts } from "../sessions/kept-drafts.js";
import { keptPrompts } from "../sessions/kept-prompts.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { converse } from "../terminal/conversation.js";
import { recall } from "../terminal/recall.js";
import { chooseSession } from "../terminal/session-list.js";
import type { StatusFacts } from "../terminal/status-row.js";
import { setDoNotAsk, switchableAsking } from "../terminal/stop-asking.js";
import { OUTPUT } from "../terminal/typed-line.js";
import { ChatClient } from "./chat-client.js";
import type { AskingModes, ChatSource, Choose } from "./chat-source.js";
import { conversationTranscript, type GrowsText, growingTexts } from "./conversation-transcript.js";
import { namedSource } from "./named-source.js";
import { OwnWords } from "./own-words.js";

/** Holds a conversation with an agent in the terminal: the command's own agent, or the one that `command` starts. */
export async function chat(command: readonly string[], options: ChatOptions): Promise<void> {
  const source = await namedSource(command, options);
  const lines = openLines(process.stdin, process.stdout, {
    plain: options.plain,
    pasted: terminalWords[languageOf(options.lang, process.env)].chat.pasted,
    kept: keptPrompts(shareFolder(process.env, { kimi: false })),
    shows: OUTPUT,
  });
  const text = lines.draws ? await growingTexts(options.raw ?? false) : undefined;
  await new Chat(source, options, isInterview(command, options), { lines, text }).hold();
}

const isInterview = (command: readonly string[], { model, script, connect, agent }: ChatOptions) =>
  command.length === 0 && (model ?? script ?? connect ?? agent) === undefined;

/** The exit code of a conversation left in the middle. */
const LEFT = 130;
/** The exit code of a conversation whose input ended at a request, as of `askwire ask` where nobody could be asked. */
const NOBODY = 4;
/** The time for the agent to end after that, in milliseconds. An agent started here is killed earlier. */
const LEAVE_MS = 7_000;

interface Place {
  readonly lines: LineFeed;
  /** Makes the texts of a terminal that is drawn on. */
  readonly text: GrowsText | undefined;
}

/** A conversation in the terminal, from the first look at the options to the end of the process. */
class Chat {
  readonly #source: ChatSource;
  readonly #options: ChatOptions;
  readonly #isInterview: boolean;
  readonly #words: TerminalWords;
  readonly #lines: LineFeed;
  readonly #paint: Paint;
  readonly #transcript: ShownTranscript;
  readonly #recall: ReturnType<typeof recall>;
  readonly #work: KeptDrafts;
  readonly #person: TerminalPerson;
  readonly #client: ChatClient;
  /** Aborted when the conversation is left in the middle. */
  readonly #left = new AbortController();
  #code = LEFT;
  #modes: AskingModes;
  #chosen: Partial<AcpChosen> = {};
  #session: ClientSession | undefined;
  #begin = () => {};
  /** Resolves once the session is there; undefined from then on. */
  #begins: Promise<void> | undefined = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** The id of the session that continues here. */
  #goesOn: string | undefined;

  constructor(source: ChatSource, options: ChatOptions, isInterview: boolean, { lines, text }: Place) {
    const { stdout, env } = process;
    this.#source = source;
    this.#options = options;
    this.#isInterview = isInterview;
    this.#goesOn = source.goesOn;
    this.#modes = { isYolo: options.yolo === true, isAfk: options.afk === true };
    this.#lines = lines;
    this.#paint = paintFor(stdout, env);
    this.#words = terminalWords[languageOf(options.lang, env)];
    this.#transcript = conversationTranscript(
      { lines, paint: this.#paint, words: this.#words, told: () => this.#told },
      text,
    );
    this.#recall = recall(this.#words.asked);
    this.#work = keptDrafts(
      () => source.drafts(this.#session?.id ?? this.#goesOn),
      () => this.#tell(this.#words.chat.workLost),
    );
    this.#person = this.#newPerson();
    this.#client = new ChatClient({
      ...{ person: this.#person, transcript: this.#transcript, recall: this.#recall, work: this.#work },
      ...{ paint: this.#paint, words: this.#words.chat, joins: options.connect !== undefined },
      begins: () => this.#begins,
    });
    this.#listen();
  }

  async hold(): Promise<void> {
    try {
      const place = { lines: this.#lines, tell: this.#tell, words: this.#words.chat };
      this.#goesOn ??= await this.#source.waits?.(place);
      if (this.#left.signal.aborted) return this.#exit();
      this.#session = await this.#open();
      this.#begin();
      this.#begins = undefined;
      if (this.#session !== undefined) await this.#converse(this.#session);
      // An agent that has not introduced itself is ended by the signal.
      else if (this.#left.signal.aborted) this.#exit();
    } finally {
      // Nothing asks the terminal from now on.
      this.#person.close();
      await this.#lines.answered();
      this.#close();
    }
  }

  /** The facts for the row below the prompt. */
  get #told(): StatusFacts {
    const session = this.#session;
    return {
      model: this.#options.model?.replace(/^[^:]*:/, "") ?? this.#chosen.model,
      mode: this.#chosen.mode,
      status: session?.status,
      ...this.#modes,
      isLost: session?.connection === "lost",
      waiting: this.#client.waiting,
    };
  }

  #newPerson(): TerminalPerson {
    const { bell } = this.#options;
    return personAtTerminal(
      {
        lines: this.#lines,
        transcript: this.#transcript,
        paint: this.#paint,
        words: this.#words,
        env: process.env,
      },
      {
        bell,
        cancelTurn: () => void this.#session?.cancel().catch(() => {}),
        stopAsking: () => this.#stopAsking(),
        nobody: () => this.#nobody(),
        leavesOut: () => this.#session?.server?.capabilities?.askwire?.skip === true,
        takesNotes: () => this.#session?.server?.capabilities?.askwire?.notes === true,
        discusses: () => this.#session?.server?.capabilities?.askwire !== undefined,
        work: this.#work,
      },
    );
  }

  #listen(): void {
    this.#lines.onFull(() => this.#tell(this.#words.chat.noMoreRoom));
    for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, this.#leave);
    process.on("SIGHUP", this.#end);
    this.#lines.onGone(this.#end);
    this.#lines.onInterrupt(() => {
      if (this.#session === undefined) this.#leave();
    });
  }

  async #open(): Promise<ClientSession | undefined> {
    const { signal } = this.#left;
    const opened = this.#source.open(this.#report, this.#client.options, signal, {
      choose: this.#lines.interactive ? this.#choose : undefined,
      goesOn: this.#goesOn,
      onUnkept: (why) => this.#tell(this.#words.chat.notKept(visibleLine(why))),
      onModes: (modes) => {
        this.#modes = modes;
        this.#transcript.changed();
      },
      onChosen: (chosen) => {
        this.#chosen = chosen;
        this.#transcript.changed();
      },
    });
    return Promise.race([opened, once(signal, "abort").then(() => undefined)]);
  }

  async #converse(session: ClientSession): Promise<void> {
    const own = new OwnWords(session, {
      ...{ lines: this.#lines, transcript: this.#transcript, recall: this.#recall },
      ...{ paint: this.#paint, words: this.#words.chat, options: this.#options },
    });
    this.#lines.suggests(own.suggests);
    const room = {
      lines: this.#lines,
      person: this.#person,
      transcript: this.#transcript,
      paint: this.#paint,
      words: this.#words,
      own: own.commands,
      report: this.#report,
      left: this.#left.signal,
      leave: this.#leave,
    };
    const { prompt } = this.#options;
    try {
      const comesBack = () => this.#comesBack(session);
      await converse(session, room, {
        interview: this.#isInterview,
        goesOn: this.#goesOn,
        prompt,
        comesBack,
      });
    } catch (error) {
      if (!this.#left.signal.aborted) throw error;
    } finally {
      await session.close();
    }
    if (this.#left.signal.aborted) process.exitCode = this.#code;
  }

  /** The command by which a kept session goes on. Undefined where it does not. */
  #comesBack({ id }: ClientSession): string | undefined {
    const isKept = this.#lines.draws && !this.#isInterview && this.#source.goesOnLater() === "kept";
    return !isKept || id === undefined ? undefined : againCommand(process.argv.slice(2), id);
  }

  readonly #tell = (line: string): void => this.#transcript.line(this.#paint("dim", line));

  /** Writes to standard error. On the same terminal the text gets its own lines, above a prompt or a panel. */
  readonly #report = (text: string): void => {
    if (!this.#lines.interactive || !process.stderr.isTTY) return void process.stderr.write(text);
    this.#transcript.freshLine();
    this.#lines.write(text);
  };

  readonly #choose: Choose = (newest) => {
    const tell = (line: string) => this.#transcript.line(line);
    return chooseSession(newest, { lines: this.#lines, tell, words: this.#words.chat });
  };

  #stopAsking(): (() => void) | undefined {
    const session = this.#session;
    if (session === undefined || switchableAsking(session) === undefined) return undefined;
    return () => void setDoNotAsk(session, true, this.#tell, this.#words.chat);
  }

  #close(): void {
    this.#person.close();
    this.#lines.close();
  }

  readonly #exit = (): void => {
    this.#close();
    process.exit(this.#code);
  };

  /** Leaves in the middle of a turn. The second call does not wait for the agent's end. */
  readonly #leave = (): void => {
    if (this.#left.signal.aborted) this.#exit();
    this.#left.abort();
    setTimeout(this.#exit, LEAVE_MS).unref();
  };

  /** Leaves since this client ends. A terminal that is closed says so by a signal too, which is no second call. */
  readonly #end = (): void => {
    if (!this.#left.signal.aborted) this.#leave();
  };

  /** Leaves since a request is open, and the input has ended. */
  #nobody(): void {
    if (this.#left.signal.aborted) return;
    const words = this.#words.chat;
    this.#code = NOBODY;
    this.#transcript.freshLine();
    if (this.#isInterview) this.#transcript.line(words.nothingWritten);
    this.#report(`askwire: ${words.nobody(this.#source.goesOnLater())}\n`);
    this.#end();
  }
}
