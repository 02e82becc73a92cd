// Cards as native picks: a second way to answer, by the keyboard alone. Escape leaves a card open.

import { fieldWords } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import type { AnswerItem, CoreQuestion } from "@askwire/protocol";
import { prefillOf, sentAs } from "@askwire/protocol/fields";
import {
  type CardWords,
  cardWords,
  type OpenApproval,
  type OpenQuestion,
  requestText,
} from "@askwire/react/stores";
import { l10n } from "vscode";
import { type CardWay, type OpenCard, waysOf } from "../cards/cards.js";
import {
  chosen,
  isEnough,
  quickForm,
  stepOf,
  withAnswer,
  withoutLast,
  written,
} from "../cards/quick-form.js";
import { restOfApproval, restOfQuestion } from "../cards/rest-of-card.js";
import type { Beside } from "./beside.js";
import { decideBy } from "./decide.js";
import type { Differences } from "./diff.js";
import { back, type PickRow, quickPick, write } from "./pick.js";
import { plainLabel } from "./plain-text.js";
import type { SurfaceShown } from "./surface.js";
import type { Unsaved } from "./unsaved.js";
import { whileOpen } from "./while-open.js";

/** The parts that picks of cards need. */
export interface PickParts extends SurfaceShown {
  readonly language: Language;
  readonly beside: Beside;
  readonly differences: Differences;
  readonly unsaved: Unsaved;
}

/** Asks for the card that is meant where several are open, then puts it to the person. */
export async function answerByPick(shown: PickParts): Promise<void> {
  const open = shown.cards.open();
  const [first] = open;
  if (first === undefined) return;
  const rows = open.map((card) => ({
    label: plainLabel(requestText(card.request, cardWords[shown.language])),
    value: card,
  }));
  const title = l10n.t("Which one do you want to answer?");
  const never = new AbortController().signal;
  const picked =
    open.length === 1 ? [first] : await quickPick(rows, { title, placeholder: title, signal: never });
  const card = Array.isArray(picked) ? (picked[0] as OpenCard | undefined) : undefined;
  if (card === undefined) return;
  const { signal, end } = whileOpen(shown, card);
  try {
    if (card.request.kind === "question") await question(shown, card.chat, card.request, signal);
    else await approval(shown, card.chat, card.request, signal);
  } finally {
    end();
    await shown.beside.close();
  }
}

async function question(
  { cards, beside, language }: PickParts,
  chat: string,
  card: OpenQuestion,
  signal: AbortSignal,
): Promise<void> {
  card.onBegin();
  let form = quickForm(card.request.questions);
  for (let step = stepOf(form); step.is !== "done"; step = stepOf(form)) {
    const { question } = step;
    await beside.show(question.header, restOfQuestion(question), question.options.length + 1);
    const asked = {
      title: titleOf(card, question, cardWords[language]),
      placeholder: plainLabel(question.header),
      step: [form.items.length + 1, form.questions.length],
      signal,
    } as const;
    const given = await answer(question, step.is === "choice" && step.many, asked, language);
    if (given === undefined) return;
    form = given === back ? withoutLast(form) : withAnswer(form, given);
  }
  cards.answerQuestion(chat, card.id, { items: form.items });
}

/** The question, who asks it where that is a program, and why the last answer was refused. */
function titleOf(
  { request, issues }: OpenQuestion,
  { id, question }: CoreQuestion,
  words: CardWords,
): string {
  const { program } = request;
  const asker = program === undefined ? [] : [words.programAsks(program.name), ...originOf(program, words)];
  const refused = issues.filter(({ question_id }) => question_id === id).map(({ message }) => message);
  const problem = refused.length === 0 ? [] : [words.refused(refused)];
  return plainLabel([...asker, question, ...problem].join(" – "));
}

function originOf(program: OpenQuestion["request"]["program"], words: CardWords): string[] {
  const origin = words.origin(program?.origin);
  return origin === "" ? [] : [origin];
}

/** Puts one question. Undefined where the person leaves it. */
async function answer(
  question: CoreQuestion,
  many: boolean,
  asked: Parameters<typeof write>[0],
  language: Language,
): Promise<AnswerItem | typeof back | undefined> {
  if (question.options.length === 0) return await writeAnswer(question, asked, language);
  const own = Symbol("own text");
  const rows: PickRow<string | typeof own>[] = question.options.map(
    ({ id, label, description, recommended }) => ({
      label: plainLabel(label),
      detail: plainLabel(description),
      value: id,
      ...(recommended === true && { description: l10n.t("recommended") }),
    }),
  );
  if (question.own_text)
    rows.push({
      label: `$(edit) ${question.other_label === "" ? l10n.t("In your own words…") : plainLabel(question.other_label)}`,
      detail: plainLabel(question.other_description),
      value: own,
    });
  const ids = (values: readonly (string | typeof own)[]) => values.filter((one) => typeof one === "string");
  const isOwn = (values: readonly (string | typeof own)[]) => values.includes(own);
  const picked = await quickPick(rows, {
    ...asked,
    many,
    refuse: (values) =>
      isEnough(question, values.length)
        ? undefined
        : values.length === 0
          ? l10n.t("choose at least one")
          : l10n.t("this is not the number of choices that is asked for"),
  });
  if (picked === undefined || picked === back) return picked;
  if (!isOwn(picked)) return chosen(question, ids(picked));
  const words = await writeAnswer(question, asked, language);
  if (words === undefined || words === back || !many) return words;
  return { ...words, selected: ids(picked) };
}

const writeAnswer = (question: CoreQuestion, asked: Parameters<typeof write>[0], language: Language) =>
  write<AnswerItem>(
    {
      ...asked,
      value: prefillOf(question.field) ?? "",
      note: (text) => {
        const sent = sentAs(question.field, text);
        return sent === undefined ? undefined : fieldWords[language].sentAs(sent);
      },
      placeholder: plainLabel(cardWords[language].told(question.placeholder ?? question.header)),
    },
    (text) => written(question, text, language, l10n.t("write an answer, or press Escape to leave it open")),
  );

async function approval(
  parts: PickParts,
  chat: string,
  card: OpenApproval,
  signal: AbortSignal,
): Promise<void> {
  const { beside, differences, language } = parts;
  await beside.show(
    card.request.sender,
    restOfApproval(card.request),
    waysOf(card, cardWords[language]).length,
  );
  await differences.show(chat, card.id);
  const way = await pickWay(card, () => true, cardWords[language], signal);
  if (way !== undefined) await decideBy(parts, chat, card.id, way.reply);
}

/** Lets the person choose one of the ways to answer an approval that are meant. A single one is not asked about. */
export async function pickWay(
  card: OpenApproval,
  isMeant: (way: CardWay) => boolean,
  words: CardWords,
  signal: AbortSignal,
): Promise<CardWay | undefined> {
  const { sender, action, description, program } = card.request;
  const ways = waysOf(card, words).filter(isMeant);
  if (ways.length < 2) return ways[0];
  const rows = ways.map((way) => ({
    label: plainLabel(way.label),
    ...(way.covers !== "" && { detail: plainLabel(way.covers) }),
    value: way,
  }));
  const asker = program === undefined || program.name === sender ? sender : `${sender} (${program.name})`;
  const title = plainLabel([`${asker}: ${action}`, ...originOf(program, words)].join(" – "));
  const picked = await quickPick(rows, { title, placeholder: plainLabel(description), signal });
  return Array.isArray(picked) ? (picked[0] as CardWay | undefined) : undefined;
}
