// The face @askwire/client/push-words, for our own interfaces: apart from @askwire/client/words, so that a page loads it late.
import { type EntryWords, englishEntry } from "./entry-en.js";
import { chineseEntry } from "./entry-zh.js";
import type { Language } from "./language.js";
import { englishPairing, type PairingWords } from "./pairing-en.js";
import { chinesePairing } from "./pairing-zh.js";
import { englishPush as en } from "./push-en.js";
import type { PushWords } from "./push-words.js";
import { chinesePush as zh } from "./push-zh.js";
import { englishSettings, type SettingsWords } from "./settings-en.js";
import { chineseSettings } from "./settings-zh.js";

export type { EntryWords } from "./entry-en.js";
export type { PairingWords } from "./pairing-en.js";
export type { PushWords } from "./push-words.js";
export type { SettingsWords } from "./settings-en.js";

/** The words about push notifications, by language. */
export const pushWords: Readonly<Record<Language, PushWords>> = { en, zh };

/** The words of the page's settings, by language. */
export const settingsWords: Readonly<Record<Language, SettingsWords>> = {
  en: englishSettings,
  zh: chineseSettings,
};

/** The words of the sheet that adds a phone, by language. */
export const pairingWords: Readonly<Record<Language, PairingWords>> = {
  en: englishPairing,
  zh: chinesePairing,
};

/** The words of the page without a token, by language. */
export const entryWords: Readonly<Record<Language, EntryWords>> = { en: englishEntry, zh: chineseEntry };
