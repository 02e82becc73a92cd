import { defaultLanguage, type Language, languages } from "@askwire/client/words";
import { type Store, store } from "@askwire/react/cards";
import type { Box } from "./box.js";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** The choices of the person, which the device keeps. */
export interface Settings {
  /** Undefined: as the browser says. */
  readonly language?: Language | undefined;
  /** True: sessions that begin here ask; false: they do not. Undefined: each stays as it is. */
  readonly asks?: boolean | undefined;
  readonly theme: Theme;
  /** True: a new request makes a sound. */
  readonly sound: boolean;
  /** True: a new request is told by the system while nobody looks at the page. */
  readonly notify: boolean;
}

/** The settings now, and the way to change them. */
export interface KeptSettings extends Store<Settings> {
  change(change: Partial<Settings>): void;
}

const NAME = "settings";

/** The settings as the device kept them, with each change kept. */
export function settings(device: Box): KeptSettings {
  const { current, subscribe, set } = store(read(device.get(NAME)));
  return {
    current,
    subscribe,
    change(change) {
      set({ ...current(), ...change });
      device.set(NAME, JSON.stringify(current()));
    },
  };
}

/** Reads the kept settings. Unknown values count as not set. */
function read(text: string | undefined): Settings {
  let kept: Partial<Record<keyof Settings, unknown>> = {};
  try {
    kept = Object(JSON.parse(text ?? "{}"));
  } catch {}
  const language = languages.find((one) => one === kept.language);
  return {
    ...(language !== undefined && { language }),
    ...(typeof kept.asks === "boolean" && { asks: kept.asks }),
    theme: themes.find((one) => one === kept.theme) ?? "system",
    sound: kept.sound === true,
    notify: kept.notify === true,
  };
}

/** The first language of the browser that the page speaks, else the default. */
export const spokenIn = (browser: readonly string[]): Language =>
  browser.map((tag) => languages.find((one) => tag.toLowerCase().split("-")[0] === one)).find((one) => one) ??
  defaultLanguage;
