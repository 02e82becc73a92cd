import {
  type Answered,
  type AnswerParams,
  bindPeer,
  EXTENDED_REVISION,
  everyFeature,
  type HeardAgentMethods,
  type HeardPromptResult,
  heardAgentMethods,
  heardAsked,
  heardClientMethods,
  LocalError,
  type MessageChannel,
  type Peer,
  PROTOCOL_VERSION,
  type Unrecognized,
  type UserInput,
  validate,
  type WireError,
  type WireEvent,
  wireErrorCodes,
} from "@askwire/protocol";
import { uuid } from "../runtime/uuid.js";
import { type RunEvent, RunRecord } from "./run-record.js";
import type { PutToPerson, Script } from "./script.js";
import { describedRequest, UnforeseenRequest } from "./unforeseen-request.js";

/** The parts of a client that answers by a script. */
export interface ScriptedClientParts {
  readonly channel: MessageChannel;
  readonly script: Script;
  /** Hears every event. */
  readonly hear: (event: RunEvent) => void;
  /** Takes what makes the run useless, such as a request that the script does not foresee. */
  readonly fail: (error: unknown) => void;
}

/** A client of the extended profile that shows everything, and whose person is a script. */
export class ScriptedClient {
  readonly record = new RunRecord();
  readonly #parts: ScriptedClientParts;
  readonly #peer: Peer<HeardAgentMethods>;

  constructor(parts: ScriptedClientParts) {
    this.#parts = parts;
    this.#peer = bindPeer({
      channel: parts.channel,
      local: heardClientMethods,
      remote: heardAgentMethods,
      handlers: { event: (event) => this.#event(event) },
    });
    void this.#peer.closed.then((cause) => {
      parts.fail(new LocalError("CLOSED", "the session ended before the run", { cause }));
    });
  }

  /** Introduces the client. */
  async introduce(): Promise<void> {
    const shows = this.#parts.script.isShown ? everyFeature : { revision: EXTENDED_REVISION };
    await this.#peer.request("initialize", {
      protocol_version: PROTOCOL_VERSION,
      client: { name: "test" },
      capabilities: { supports_question: this.#parts.script.isShown, askwire: shows },
    });
  }

  /** Prompts. `ended` hears the end in its place among the messages. */
  prompt(input: UserInput, ended: (end: Answered<HeardPromptResult>) => void): void {
    this.#peer.call("prompt", { user_input: input }, ended);
  }

  /** Cancels the running turn. */
  async cancel(): Promise<void> {
    await this.#peer.request("cancel", {});
  }

  close(): void {
    this.#peer.close();
  }

  #event(event: WireEvent | Unrecognized): void {
    const asked = event.type === "unrecognized" ? askedBy(event) : undefined;
    const heard = asked?.event ?? event;
    this.record.add(heard);
    this.#parts.hear(heard);
    if (asked === undefined || !this.record.put(asked.put)) return;
    this.#answer(asked.put).catch(this.#parts.fail);
  }

  async #answer(put: PutToPerson): Promise<void> {
    const { script } = this.#parts;
    const { id: request_id } = put.payload;
    if (!script.isShown) {
      this.#peer.call("release", { request_id, reason: "unsupported" }, () => {});
      return;
    }
    this.#peer.notify("received", { request_id });
    const words = await script.wordsOn(put);
    if (words !== undefined) return this.#send(put, { request_id, answer_id: uuid(), ...words });
    await this.#heard();
    if (this.record.isOpen(request_id)) throw new UnforeseenRequest(put, script);
  }

  #send(put: PutToPerson, params: AnswerParams): void {
    this.#peer.call("answer", params, (answered) => {
      if (answered.ok) {
        const { outcome, response } = answered.value;
        return this.record.settled(params.request_id, outcome, response);
      }
      // A request that ended first, such as by a function of the script, needs no answer.
      if (!this.record.isOpen(params.request_id) || isLate(answered.error)) return;
      this.#parts.fail(refused(put, answered.error));
    });
  }

  /** Resolves once the server has handled everything that was sent, and its messages are here. */
  async #heard(): Promise<void> {
    const replied = () => undefined;
    for (let round = 0; round < 3; round += 1) {
      await this.#peer.request("list_sessions", undefined).then(replied, replied);
    }
  }
}

/** The question or approval that an event is. */
function askedBy({ payload: { type, payload } }: Unrecognized) {
  if (type === "QuestionRequest") {
    const parsed = validate(heardAsked.QuestionRequest, payload);
    if (!parsed.ok) return undefined;
    const put = { kind: "question", payload: parsed.value } as PutToPerson;
    return { put, event: { type, payload: parsed.value } as RunEvent };
  }
  if (type !== "ApprovalRequest") return undefined;
  const parsed = validate(heardAsked.ApprovalRequest, payload);
  if (!parsed.ok) return undefined;
  const put = { kind: "approval", payload: parsed.value } as PutToPerson;
  return { put, event: { type, payload: parsed.value } as RunEvent };
}

const isLate = (error: WireError | LocalError): boolean =>
  error instanceof LocalError || error.code === wireErrorCodes.AlreadyResolved;

/** The failure of an answer that the server did not take. */
function refused(put: PutToPerson, error: WireError | LocalError): Error {
  const { issues = [] } = (error as { data?: { issues?: readonly { message: string }[] } }).data ?? {};
  const why = issues.length === 0 ? error.message : issues.map(({ message }) => message).join("; ");
  return new Error(`the scripted answer to ${describedRequest(put)} was refused: ${why}`, { cause: error });
}
