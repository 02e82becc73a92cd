// The state of the host as data for the webview.

import type { Delivery } from "@askwire/client";
import type { Language } from "@askwire/client/words";
import { askingSwitch, type Entry, type OpenRequest } from "@askwire/react/stores";
import { filesOf } from "../cards/whole-file.js";
import { shortReason } from "../chats/short-reason.js";
import type { AgentLink, ShownAgent, ShownCard, ViewParts } from "../view-state.js";
import type { PickedAttachments } from "./attachments.js";
import { nearPaths } from "./near-paths.js";
import { fileOf, isOutside } from "./open-file.js";
import type { SurfaceShown } from "./surface.js";
import type { Unsaved } from "./unsaved.js";

/** The parts of the host that the view shows. */
export interface ViewShown extends SurfaceShown {
  readonly attachments: PickedAttachments;
  readonly language: Language;
  readonly unsaved: Unsaved;
  /** The agent that the settings choose. */
  chosenAgent(): ShownAgent;
}

/** Makes the parts of the state as they are now. A card that did not change is the same object as before. */
export function viewParts({
  chats,
  attachments,
  language,
  chosenAgent,
  unsaved,
}: ViewShown): () => ViewParts {
  const known = new WeakMap<OpenRequest, ShownCard>();

  function cardOf(request: OpenRequest): ShownCard {
    const card = withUnsaved(known.get(request) ?? shownCard(request), request);
    known.set(request, card);
    return card;
  }

  /** Names in a card the files with unsaved edits; the same object where they are as before. */
  function withUnsaved(card: ShownCard, request: OpenRequest): ShownCard {
    if (card.kind !== "approval" || request.kind !== "approval") return card;
    const now = request.settled === undefined ? unsaved.of(request.request) : [];
    return JSON.stringify(now) === JSON.stringify(card.unsaved) ? card : { ...card, unsaved: now };
  }

  return () => {
    const chat = chats.current();
    const session = chat?.session();
    const conversation = chat?.talk.current();
    const held = chats.held.current();
    const { notes, skip, attachments: pictures } = session?.server?.capabilities?.askwire ?? {};
    return {
      language,
      chat: chat?.id ?? "",
      line: shortLine(chat?.line.current() ?? { is: "none" }),
      agent: chat?.agent() ?? chosenAgent(),
      held: held === undefined ? "" : held.canWatch ? "shared" : "alone",
      chats: chats.all
        .current()
        .map((one) => ({ id: one.id, title: chats.title(one.id), open: one.open().length })),
      cards: chat?.requests.current().map(cardOf) ?? [],
      talk: {
        isRunning: conversation?.isRunning === true,
        isComing: conversation?.isComing === true,
        isCut: conversation?.isCut === true,
        isAlone: chat?.isAlone() === true,
        approvesAll: conversation !== undefined && approvesAll(conversation.entries),
        planMode: session?.status.plan_mode === true,
        ...(session !== undefined && { doNotAsk: askingSwitch(session) }),
      },
      said: (chat?.outbox.current() ?? []).flatMap(saidWords),
      commands: session?.slashCommands ?? [],
      abilities: { notes: notes === true, skip: skip === true, attachments: pictures === true },
      attachments: attachments.current().map(({ id, name }) => ({ id, name })),
      drafts: chat === undefined ? "" : chats.drafts(chat.id),
    };
  };
}

/** The parts that are other than before. */
export function otherParts(before: Partial<ViewParts>, now: ViewParts): Partial<ViewParts> {
  const isSame = (name: keyof ViewParts) =>
    // The view has its own drafts of a session: those kept are for a new view, and for another session.
    (name === "drafts" && before.drafts !== undefined && before.chat === now.chat) ||
    (name === "cards"
      ? before.cards?.length === now.cards.length &&
        now.cards.every((card, at) => card === before.cards?.[at])
      : JSON.stringify(before[name]) === JSON.stringify(now[name]));
  const names = Object.keys(now) as (keyof ViewParts)[];
  return Object.fromEntries(names.filter((name) => !isSame(name)).map((name) => [name, now[name]]));
}

/** True where a rule approved the agent's last action that a person would else have been asked about. */
function approvesAll(entries: readonly Entry[]): boolean {
  const last = entries.findLast(
    (entry) =>
      (entry.kind === "asked" && entry.isApproval) ||
      (entry.kind === "note" && entry.event.type === "PolicyDecided"),
  );
  return (
    last?.kind === "note" && last.event.type === "PolicyDecided" && last.event.payload.rule === "approve_all"
  );
}

/** Words on their way: the view shows texts, and that there are pictures. */
function saidWords(one: Delivery): Delivery[] {
  if (one.kind !== "words") return [];
  if (typeof one.input === "string") return [one];
  const texts = one.input.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [{ ...one, input: texts.join("\n") }];
}

const shortLine = (line: AgentLink): AgentLink =>
  "why" in line ? { ...line, why: shortReason(line.why) } : line;

function shownCard(request: OpenRequest): ShownCard {
  const {
    onBegin: _begin,
    onDismiss: _dismiss,
    onDraft: _keep,
    onReply: _reply,
    draft: _draft,
    ...card
  } = request;
  if (card.kind === "approval") {
    const outside = filesOf(card.request.display).filter((path) => isOutside(fileOf(path)));
    return { ...card, request: nearPaths(card.request), outside, unsaved: [] } as ShownCard;
  }
  if (!("deadlineSince" in card)) return card as ShownCard;
  const { deadlineSince, ...question } = card;
  return { ...question, since: performance.timeOrigin + (deadlineSince as number) } as ShownCard;
}
