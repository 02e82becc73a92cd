import { visibleText } from "@askwire/client/text";
import type { AnswerItem } from "@askwire/protocol";
import type { Driven, DrivenQuestion } from "./requests.js";
import type { Standing } from "./standing.js";

/** The end of a request as its agent or host was told. */
export type Sent =
  /** The person stopped the agent. */
  | { readonly stopped: true }
  | { readonly items: readonly AnswerItem[] }
  | { readonly declined: string; readonly note?: string }
  | { readonly response: string; readonly feedback?: string; readonly edited?: string };

/** The card at the last press, and the page of each question when it was left. */
export interface Stood {
  readonly card: Standing;
  readonly pages: ReadonlyMap<string, Standing>;
  /** The name of the control that was pressed. */
  readonly pressed: string;
}

/** Lists each part that stood on the card and was sent otherwise, or not at all. */
export function differences(request: Driven, sent: Sent, stood: Stood): string[] {
  if ("stopped" in sent) return [];
  if ("response" in sent) return ofApproval(request, sent, stood);
  if ("declined" in sent) return ofRefusal(sent, stood);
  const questions = "questions" in request ? request.questions : [];
  if (questions.length === 1) {
    return ofItem(questions[0] as DrivenQuestion, sent.items[0], stood.card, stood.pressed);
  }
  return questions.flatMap((question) => {
    const item = sent.items.find(({ question_id }) => question_id === question.id);
    const page = stood.pages.get(question.id);
    return [
      ...differ(
        `the review of ${question.id}`,
        stood.card.review.get(question.question),
        reviewOf(question, item),
      ),
      ...(page === undefined ? [] : ofItem(question, item, page)),
    ];
  });
}

/** Lists the parts of a card that a reload has lost or changed. */
export function lostBy(what: string, before: Standing, after: Standing): string[] {
  const kept = [...before.boxes].filter(([name]) => !name.startsWith("Search"));
  return [
    ...differ(`the choice after ${what}`, before.chosen.join("; "), after.chosen.join("; ")),
    ...differ(`the pictures after ${what}`, String(before.pictures), String(after.pictures)),
    ...kept.flatMap(([name, text]) => differ(`${name} after ${what}`, text, after.boxes.get(name) ?? "")),
  ];
}

const differ = (what: string, stood: string | undefined, sent: string | undefined) =>
  spaced(stood) === spaced(sent)
    ? []
    : [`${what}: stood ${JSON.stringify(stood)}, sent ${JSON.stringify(sent)}`];

/** White space as an accessibility tree has it. */
const spaced = (text = "") => text.replace(/[\s\u200b\u00ad]+/g, " ").trim();

/** The name of the box for words of the person's own. */
const own = ({ field }: DrivenQuestion) => (field === undefined ? "In your own words" : "Your answer");

/** The words on the button that answers with what the person said to the agent, which may be cut. */
const said = (pressed: string) => /^Answer with what you said: “(.*?)…?”$/s.exec(pressed)?.[1];

function ofItem(
  question: DrivenQuestion,
  item: AnswerItem | undefined,
  card: Standing,
  pressed = "",
): string[] {
  const at = (what: string) => `${what} of ${question.id}`;
  const stoodChosen = question.options.filter(({ label }) =>
    card.chosen.some((name) => spaced(name).startsWith(spaced(visibleText(label)))),
  );
  const sentChosen = question.options.filter(({ id }) => item?.selected.includes(id));
  const names = (options: typeof stoodChosen) => options.map(({ label }) => label).join("; ");
  const isAside = card.lines.some((line) => line.startsWith("These words are not sent"));
  const as = card.lines
    .map((line) => /(?:^|; )sent as (.*)$/.exec(line)?.[1])
    .find((value) => value !== undefined);
  // Whoever leaves a question out leaves out what stands there too, but for the note.
  if (pressed === "Leave out" && item?.skipped === true)
    return differ(at("the note"), noteOf(card), item.note);
  const onButton = said(pressed);
  const isSaid = onButton !== undefined && visibleText(item?.own_text ?? "").startsWith(onButton);
  const written = isAside ? "" : (as ?? card.boxes.get(own(question)) ?? "");
  const words = isSaid ? item?.own_text : written;
  return [
    ...differ(at("the choice"), names(stoodChosen), names(sentChosen)),
    ...differ(at("the words"), words, item?.own_text),
    ...differ(at("the note"), noteOf(card), item?.note),
    ...differ(at("the pictures"), String(card.pictures), String(item?.attachments?.length ?? 0)),
  ];
}

/** The note that is read on a card: in its box, or on its fold. */
const noteOf = (card: Standing): string => card.boxes.get("Note") ?? foldedOf(card, "Note: ");

/** The words on a fold, behind what it is named by. */
const foldedOf = ({ lines }: Standing, name: string): string =>
  lines.find((line) => line.startsWith(name))?.slice(name.length) ?? "";

/** The answer to a question as the page to review has it. */
function reviewOf({ options }: DrivenQuestion, item: AnswerItem | undefined): string {
  if (item === undefined) return "not answered";
  const count = item.attachments?.length ?? 0;
  const parts = [
    ...item.selected.map((id) => options.find((option) => option.id === id)?.label ?? id),
    ...(item.skipped === true ? ["left out"] : []),
    ...((item.own_text ?? "") === "" ? [] : [item.own_text]),
    ...(count === 0 ? [] : [count === 1 ? "1 picture" : `${count} pictures`]),
  ];
  return visibleText(`${parts.join(", ")}${item.note === undefined ? "" : ` — ${item.note}`}`);
}

function ofRefusal(
  { declined, note }: Extract<Sent, { declined: string }>,
  { card, pressed }: Stood,
): string[] {
  if (declined === "discuss") {
    return differ("the words to talk about first", card.boxes.get("What to talk about first"), note);
  }
  return pressed === "Decline" ? [] : [`declined by a press on ${JSON.stringify(pressed)}`];
}

function ofApproval(
  request: Driven,
  { response, feedback, edited }: Extract<Sent, { response: string }>,
  { card, pressed }: Stood,
): string[] {
  const expected = {
    "Approve once": "approve",
    "Approve for this session": "approve_for_session",
    Reject: "reject",
    "Reject with these words": "reject",
    "Approve my version": "approve",
  };
  const content = "edit" in request ? request.edit?.content : undefined;
  const isRejected = response === "reject";
  return [
    ...differ("the decision", expected[pressed as keyof typeof expected], response),
    ...(isRejected
      ? differ(
          "the reason",
          card.boxes.get("Why not? The agent reads it and goes on. (may be empty)"),
          feedback,
        )
      : []),
    ...(isRejected
      ? []
      : differ("the text", card.boxes.get("The text that is approved") ?? content, edited ?? content)),
  ];
}
