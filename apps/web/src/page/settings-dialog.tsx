import { type Language, languageNames, languages, type PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import type { KeptServer } from "../kept/kept-servers.js";
import { later } from "./later.js";
import type { PageParts } from "./parts.js";

const PushSettings = later(() => import("./push-settings.js"));

/** The way to the choices of the person, which are in a dialog of the browser. */
export default function SettingsDialog({
  settings,
  signals,
  server,
  places,
  words,
  language: spoken,
  device,
}: PageParts & {
  /** The server that the page shows. */
  readonly server: KeptServer;
  readonly words: PageWords;
  /** The language of the words. */
  readonly language: Language;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const { credentials } = server;
  const { notices, sound } = signals;
  const { language, theme, sound: sounds, notify } = useStore(settings);
  const isRemembered = useStore(credentials.remembered);
  const isOnly = useStore(places.all).length < 2;
  const [wasOpened, setOpened] = useState(false);
  const [hindrance, setHindrance] = useState(notices.hindrance);
  // The browser's own settings change without a word.
  const look = () => {
    setOpened(true);
    setHindrance(notices.hindrance());
  };

  async function changeNotify(wanted: boolean): Promise<void> {
    settings.change({ notify: wanted && (await notices.permit()) });
    look();
  }

  function changeSound(wanted: boolean): void {
    sound.allow();
    settings.change({ sound: wanted });
  }

  return (
    <>
      <button type="button" onClick={() => ref.current?.showModal()}>
        {words.settings}
      </button>
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
        <Choice
          {...{ label: words.theme, value: theme, names: words.themes }}
          onChoose={(theme) => settings.change({ theme })}
        />
        <Switch label={words.sound} checked={sounds} onChange={({ target }) => changeSound(target.checked)} />
        <Switch
          label={words.notify}
          checked={notify && hindrance === undefined}
          disabled={hindrance !== undefined}
          onChange={({ target }) => void changeNotify(target.checked)}
          {...(hindrance !== undefined && { "aria-describedby": "no-notice" })}
        />
        {hindrance !== undefined && <p id="no-notice">{words.noNotice[hindrance]}</p>}
        {wasOpened && (
          <PushSettings
            {...{ signals, places, device, server }}
            language={spoken}
            key={spoken + server.origin}
          />
        )}
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
    </>
  );
}

/** The choice whether new sessions ask. */
function Asking({ settings, words }: Pick<PageParts, "settings"> & { readonly words: PageWords }): ReactNode {
  const { asks } = useStore(settings);
  return (
    <Choice
      {...{ label: words.asking, names: words.askings }}
      value={asks === undefined ? "unset" : asks ? "ask" : "doNotAsk"}
      onChoose={(one) => settings.change({ asks: one === "unset" ? undefined : one === "ask" })}
    />
  );
}

/** A choice of one of several, each by its name. */
const Choice = <One extends string>({
  label,
  value,
  names,
  onChoose,
}: {
  readonly label: string;
  readonly value: One;
  readonly names: Readonly<Record<One, string>>;
  onChoose(one: One): void;
}): ReactNode => (
  <label>
    {label}
    <select value={value} onChange={({ target }) => onChoose(target.value as One)}>
      {Object.entries<string>(names).map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** A check box with its label. */
const Switch = ({ label, ...box }: ComponentProps<"input"> & { readonly label: string }): ReactNode => (
  <label>
    <input type="checkbox" {...box} />
    {label}
  </label>
);
