import {
  compareVersions,
  effectiveVersion,
  type HeardIntroduction,
  type RequestPayload,
  type Validate,
  WireError,
  type WireRequest,
} from "@askwire/protocol";
import { notSupported } from "@askwire/protocol/internal";
import { externalTools } from "../brought/external-tools.js";
import { hookAnswers } from "../brought/hooks.js";
import type { AgentPeer, ProfileConversation } from "../contract/conversation.js";
import { replyToApproval, replyToQuestion, viewBaseQuestion } from "../contract/handlers.js";
import type { AnyEvent, Observer } from "../contract/observer.js";
import type { Offered } from "../contract/offered.js";
import { replays } from "../contract/replay.js";
import type { ConnectOptions } from "../contract/session.js";
import { createTurn } from "../contract/turn.js";
import { RequestsUnderWay, untilSettled } from "./open-requests.js";
import { Turns } from "./turns.js";

/** A conversation in the base profile, as long as its connection. */
export interface BaseConversation extends ProfileConversation {
  introduced(peer: AgentPeer, server: HeardIntroduction | undefined): void;
}

export function baseConversation(
  options: ConnectOptions,
  offered: Offered,
  validate: Validate,
  observer: Observer,
  report: (problem: string) => void,
): BaseConversation {
  const { handlers = {} } = options;
  const open = new RequestsUnderWay();
  const turns = new Turns();
  const replay = replays(report);
  let peer: AgentPeer;
  /** Since 1.2 the end of a turn is an event; in older servers the prompt's result reports the end. */
  let tellsTurnEnd = false;

  function live(event: AnyEvent): void {
    turns.route(event);
    open.observe(event);
    observer.tell(event);
  }

  function answer(request: WireRequest) {
    switch (request.type) {
      case "QuestionRequest":
        return answerQuestion(request.payload);
      case "ApprovalRequest":
        return answerApproval(request.payload);
      case "ToolCallRequest":
        return externalTools(offered.tool, untilSettled(open), validate)(request.payload);
      case "HookRequest":
        return hookAnswers(offered.hook, untilSettled(open), report)(request.payload);
    }
  }

  function answerQuestion(payload: RequestPayload<"QuestionRequest">) {
    const { question } = handlers;
    if (question === undefined)
      throw notSupported("QuestionRequest", "unsupported", "this client cannot show questions");
    return open.run(viewBaseQuestion(payload), question, replyToQuestion);
  }

  function answerApproval(payload: RequestPayload<"ApprovalRequest">) {
    const { approval } = handlers;
    if (approval === undefined)
      throw notSupported("ApprovalRequest", "unsupported", "this client cannot show approvals");
    // Members of these names may mean something else in the base profile.
    const { options: _options, edit: _edit, ...view } = payload;
    return open.run(view, approval, replyToApproval);
  }

  /** Cancels what is running when the signal is aborted: servers of the base profile know no other way. */
  function cancelling<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
    if (signal === undefined) return work;
    const cancel = () => void peer.request("cancel", undefined).catch(() => {});
    signal.addEventListener("abort", cancel);
    return work.finally(() => signal.removeEventListener("abort", cancel));
  }

  return {
    event: (event) => void (replay.isRunning() ? replay.event(event, live) : live(event)),
    request: (request) => (replay.isRunning() ? replay.request(request, answer) : answer(request)),
    isBusy: () => turns.isRunning() || replay.isRunning(),
    isReplaying: replay.isRunning,
    replaysInTurn: false,
    isUnderWay: turns.isUnderWay,
    introduced(introduced, server) {
      peer = introduced;
      tellsTurnEnd =
        server !== undefined && compareVersions(effectiveVersion(server.protocol_version), "1.2") >= 0;
    },
    prompt(input, signal) {
      const answer = cancelling(signal, peer.request("prompt", { user_input: input }));
      const queue = turns.begin();
      const settled = (refused: boolean) => {
        turns.ended(queue, refused);
        if (!refused && !tellsTurnEnd) open.abortAll("the turn ended");
      };
      const result = answer.then(
        (result) => {
          settled(false);
          return result;
        },
        (error: unknown) => {
          settled(error instanceof WireError && error.is("InvalidState"));
          throw error;
        },
      );
      return createTurn(queue, result);
    },
    replay: (to, signal) => replay.run(to, cancelling(signal, peer.request("replay", undefined))),
    ended: () => open.abortAll("the connection closed"),
  };
}
