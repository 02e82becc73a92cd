// The words of all interfaces by language, a table for each part of an interface: a program bundles only the parts that
// it shows.
import * as en from "./en.js";
import type { Language } from "./language.js";
import * as zh from "./zh.js";

type InEach<Words> = Readonly<Record<Language, Words>>;

/** The words for values of the wire, by language. */
export const valueWords: InEach<en.ValueWords> = { en: en.value, zh: zh.value };
/** The words on typed fields and on numbers of choices, by language. */
export const fieldWords: InEach<en.FieldWords> = { en: en.field, zh: zh.field };
/** Says by which rule an approval was answered without asking (P-XAO-11). A rule of a newer server is named as it came. */
export const ruleWords: InEach<typeof en.byRule> = { en: en.byRule, zh: zh.byRule };
/**
 * Lists the features that an answering client was not shown (P-XQS-3, P-XAO-6) in words, each once. Empty if nothing
 * was lost. Unknown features keep their names, which are foreign text.
 */
export const lostWords: InEach<typeof en.lost> = { en: en.lost, zh: zh.lost };
/**
 * Says in a sentence that the ends of lines are others after a change, which a difference does not show by itself. Takes
 * both sides of the difference. Empty where the same ends are on both, or one side has none.
 */
export const lineEndWords: InEach<typeof en.lineEnds> = { en: en.lineEnds, zh: zh.lineEnds };
/** The words of the cards, by language. */
export const cardWords: InEach<en.CardWords> = { en: en.card, zh: zh.card };
/** The words of the conversation, the prompt and the lists, by language. */
export const talkWords: InEach<en.TalkWords> = { en: en.talk, zh: zh.talk };
/** The words of the state of a connection, by language. */
export const connectionWords: InEach<en.ConnectionWords> = { en: en.connection, zh: zh.connection };
/** The words of Markdown, by language. */
export const markdownWords: InEach<en.MarkdownWords> = { en: en.markdown, zh: zh.markdown };
/** The words of the terminal, by language. */
export const terminalWords: InEach<en.TerminalWords> = { en: en.terminal, zh: zh.terminal };
/** The words that a person types for yes and no, by language. */
export const typedWords: InEach<en.TypedWords> = { en: en.typed, zh: zh.typed };
/** The words of the page, by language. */
export const pageWords: InEach<en.PageWords> = { en: en.page, zh: zh.page };
/** The words of the view in VS Code, by language. */
export const viewWords: InEach<en.ViewWords> = { en: en.view, zh: zh.view };
/** The texts that VS Code reads from files, by language. The extension's code is in English. */
export const extensionWords: Omit<InEach<en.ExtensionWords>, "en"> & { readonly en: typeof en.extension } = {
  en: en.extension,
  zh: zh.extension,
};
