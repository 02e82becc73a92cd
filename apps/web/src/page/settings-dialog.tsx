import { languageNames, languages, type PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react";
import { type ComponentProps, type ReactNode, type RefObject, useState } from "react";
import type { KeptServer } from "../kept/kept-servers.js";
import { themes } from "../kept/settings.js";
import type { PageParts } from "./parts.js";

/** The choices of the person, in a dialog of the browser. */
export function SettingsDialog({
  ref,
  settings,
  signals: { notices, sound },
  server,
  places,
  words,
}: PageParts & {
  readonly ref: RefObject<HTMLDialogElement | null>;
  /** The server that the page shows. */
  readonly server: KeptServer;
  readonly words: PageWords;
}): ReactNode {
  const { credentials } = server;
  const { language, theme, sound: sounds, notify } = useStore(settings);
  const isRemembered = useStore(credentials.remembered);
  const isOnly = useStore(places.all).length < 2;
  const [hindrance, setHindrance] = useState(notices.hindrance);
  // The browser's own settings change without a word.
  const look = () => setHindrance(notices.hindrance());

  async function changeNotify(wanted: boolean): Promise<void> {
    settings.change({ notify: wanted && (await notices.permit()) });
    look();
  }

  function changeSound(wanted: boolean): void {
    sound.allow();
    settings.change({ sound: wanted });
  }

  return (
    <dialog ref={ref} className="settings" aria-labelledby="settings-title" onFocus={look}>
      <h2 id="settings-title">{words.settings}</h2>
      <label>
        {words.language}
        <select
          value={language ?? ""}
          onChange={({ target }) =>
            settings.change({ language: languages.find((one) => one === target.value) })
          }
        >
          <option value="">{words.asBrowser}</option>
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {languageNames[one]}
            </option>
          ))}
        </select>
      </label>
      <Asking settings={settings} words={words} />
      <label>
        {words.theme}
        <select
          value={theme}
          onChange={({ target }) =>
            settings.change({ theme: themes.find((one) => one === target.value) ?? "system" })
          }
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {words.themes[one]}
            </option>
          ))}
        </select>
      </label>
      <Switch label={words.sound} checked={sounds} onChange={({ target }) => changeSound(target.checked)} />
      <Switch
        label={words.notify}
        checked={notify && hindrance === undefined}
        disabled={hindrance !== undefined}
        onChange={({ target }) => void changeNotify(target.checked)}
        {...(hindrance !== undefined && { "aria-describedby": "no-notice" })}
      />
      {hindrance !== undefined && <p id="no-notice">{words.noNotice[hindrance]}</p>}
      <Switch
        label={server.isHome ? words.remember : words.rememberAt(new URL(server.origin).host)}
        checked={isRemembered}
        onChange={({ target }) => credentials.remember(target.checked)}
      />
      <div className="buttons">
        <button type="button" className="main" onClick={() => ref.current?.close()}>
          {words.close}
        </button>
        <button type="button" onClick={() => places.leave()}>
          {isOnly ? words.forget : words.forgetAll}
        </button>
      </div>
    </dialog>
  );
}

const askings = ["unset", "ask", "doNotAsk"] as const;

/** The choice of what a new session is told of questions. */
function Asking({ settings, words }: Pick<PageParts, "settings"> & { readonly words: PageWords }): ReactNode {
  const { asks } = useStore(settings);
  return (
    <label>
      {words.asking}
      <select
        value={asks === undefined ? "unset" : asks ? "ask" : "doNotAsk"}
        onChange={({ target: { value } }) =>
          settings.change({ asks: value === "unset" ? undefined : value === "ask" })
        }
      >
        {askings.map((one) => (
          <option key={one} value={one}>
            {words.askings[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A check box with its label. */
const Switch = ({ label, ...box }: ComponentProps<"input"> & { readonly label: string }): ReactNode => (
  <label>
    <input type="checkbox" {...box} />
    {label}
  </label>
);
