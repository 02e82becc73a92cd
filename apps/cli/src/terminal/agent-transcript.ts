import { visibleLine } from "@askwire/client/text";
import { type ChatWords, type TerminalWords, whoActs } from "@askwire/client/words";
import type { CallOutput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { type AnswerTold, toldLines } from "./answer-told.js";
import { type CommandOutput, commandOutput } from "./command-output.js";
import { inputLine } from "./event-lines.js";
import { OUTPUT } from "./typed-line.js";

export type EventPayload<Type> = Extract<WireEvent, { type: Type }>["payload"];

/** The parts of a transcript that others use. */
export type ShownTranscript = Pick<AgentTranscript, keyof AgentTranscript>;

/** Shows an agent's actions as they come: its words, its tool calls, their results. */
export abstract class AgentTranscript {
  protected readonly paint: Paint;
  protected readonly words: ChatWords;
  protected readonly commands: CommandOutput;
  /** Set while a prompt from here is under way. */
  protected isPromptedHere = false;
  /** The last answer of the agent as it was written. */
  protected said: string | undefined;
  /** The plan that was shown last. */
  protected plan: string | undefined;
  #isPlanMode = false;

  constructor(paint: Paint, { chat }: TerminalWords) {
    this.paint = paint;
    this.words = chat;
    this.commands = commandOutput({
      more: (lines, number, isCut) => chat.moreOutput(lines, `${OUTPUT} ${number}`, isCut),
      notKept: chat.outputNotKept,
    });
  }

  event(event: WireEvent | Unrecognized): void {
    switch (event.type) {
      case "TurnBegin":
        return this.#turnBegan(event.payload);
      case "StepBegin":
        // The words of two messages are two texts.
        return this.endWords();
      case "ContentPart":
        return this.#contentCame(event.payload);
      case "ToolCall":
        return this.called(event.payload);
      case "ToolCallPart":
        return this.argumentsCame(event.payload.arguments_part);
      case "PlanDisplay": {
        const { content, file_path } = event.payload;
        this.line(this.paint("bold", this.words.plan(visibleLine(file_path))));
        this.showPlan(content);
        this.plan = content;
        return;
      }
      case "StatusUpdate":
        return this.#updated(event.payload);
      case "TurnEnd":
        this.turnEnded();
        return this.commands.forget();
      case "ToolResult":
        return this.resulted(event.payload);
      default:
        return this.otherCame(event);
    }
  }

  /** Notes if a prompt from here is under way. A turn without one belongs to another client, and is marked. */
  prompting(here: boolean): void {
    this.isPromptedHere = here;
  }

  /** Reports if this plan was shown last: a question about it need not show it again. */
  showedPlan(text: string): boolean {
    return this.plan?.trim() === text.trim();
  }

  /** The whole output of a call, by its number. Default: of the last one. Undefined where there is none. */
  output(number?: number): string[] | undefined {
    return this.commands.whole(number);
  }

  /** The last answer of the agent as it was written. Undefined before the first. */
  get answer(): string | undefined {
    return this.said;
  }

  /** Announces the card of a question, which replaces the row of its call (F-11). */
  abstract cardFollows(): void;

  /** Begins a new line unless the last line has ended. */
  abstract freshLine(): void;

  abstract line(text: string): void;

  /** Writes lines that are to stay as they came: none is broken anew. */
  asTheyCame(lines: readonly string[]): void {
    for (const text of lines) this.line(text);
  }

  /** Writes a line, below the one that the agent has not ended. */
  abstract below(text: string): void;

  /** Shows that the turn is being cancelled, where anything is shown in place. */
  cancelling(): void {}

  /** Shows what a running call has printed last, where that is shown. */
  printed(_output: CallOutput): void {}

  /**
   * Tells the answer to a request of a call.
   *
   * @param goesOn set if the call runs from now on, and its result is still to come.
   */
  tellAnswer(_callId: string, told: AnswerTold, _goesOn: boolean): void {
    for (const text of toldLines(told)) this.line(text);
  }

  /** A request of a call was settled: the call runs from now on. */
  answered(_callId: string): void {}

  /** Shows what else has changed, where anything is shown in place. */
  changed(): void {}

  /** Notes that the person ended a line: the next output begins a new line. */
  entered(): void {}

  /** Notes a call, whose output stays if it runs a command. */
  protected noteCall({ id, extras, function: { name } }: EventPayload<"ToolCall">): void {
    this.commands.called(id, name, kindOf(extras) === "execute" ? true : undefined);
  }

  protected dimLine(text: string): void {
    this.line(this.paint("dim", text));
  }

  /** Ends the words of the agent: later ones are another text. */
  protected abstract endWords(): void;
  protected abstract say(kind: "text" | "think", text: string): void;
  protected abstract called(call: EventPayload<"ToolCall">): void;
  protected abstract argumentsCame(text: string | null): void;
  protected abstract showPlan(content: string): void;
  protected abstract resulted(result: EventPayload<"ToolResult">): void;
  protected abstract otherCame(event: WireEvent | Unrecognized): void;
  protected abstract turnEnded(): void;

  /** A turn began that another client has prompted. */
  protected begunElsewhere(): void {}

  #turnBegan({ user_input, by }: EventPayload<"TurnBegin">): void {
    if (this.isPromptedHere) return;
    this.begunElsewhere();
    const who = by && visibleLine(whoActs(by, this.words.somebodyIn));
    this.dimLine(this.words.promptedElsewhere(who, visibleLine(inputLine(user_input, this.words))));
  }

  #contentCame(part: EventPayload<"ContentPart">): void {
    if (part.type === "text") this.say("text", part.text);
    else if (part.type === "think") this.say("think", part.think);
    else this.dimLine(this.words.part(part.type));
  }

  #updated({ plan_mode: isOn }: EventPayload<"StatusUpdate">): void {
    this.changed();
    if (isOn === null || isOn === this.#isPlanMode) return;
    this.#isPlanMode = isOn;
    this.dimLine(this.words.planMode(isOn));
  }
}

/** The kind of a call of an ACP agent, as a relay tells it. */
const kindOf = (extras: unknown): unknown => Object(Object(extras).acp).kind;
