// The face @askwire/client/push-words, for our own interfaces: apart from @askwire/client/words, so that a page loads it late.
import type { Language } from "./language.js";
import { englishPush as en } from "./push-en.js";
import type { PushWords } from "./push-words.js";
import { chinesePush as zh } from "./push-zh.js";

export type { PushWords } from "./push-words.js";

/** The words about push notifications, by language. */
export const pushWords: Readonly<Record<Language, PushWords>> = { en, zh };
