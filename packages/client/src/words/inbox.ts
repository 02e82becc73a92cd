// The face @askwire/client/words/inbox, apart from the other words, so that a page loads them with its inbox.
import { inboxEnglish as en } from "./inbox-en.js";
import { inboxChinese as zh } from "./inbox-zh.js";
import type { Language } from "./language.js";

export type { InboxWords } from "./inbox-en.js";

/** The words of the inbox, by language. */
export const inboxWords: Readonly<Record<Language, typeof en>> = { en, zh };
export { addressedIn } from "./addressed-in.js";
export { approvalsIn } from "./approvals-in.js";
export { claimIn } from "./claim-in.js";
export { whoActs } from "./who.js";
