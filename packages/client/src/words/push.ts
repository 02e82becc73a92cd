// The table of the words about push notifications, in a file of its own with its languages, so that a page loads them late.
import type { Language } from "./language.js";
import { push as en } from "./push-en.js";
import type { PushWords } from "./push-words.js";
import { push as zh } from "./push-zh.js";

/** The words about push notifications, by language. */
export const pushWords: Readonly<Record<Language, PushWords>> = { en, zh };
