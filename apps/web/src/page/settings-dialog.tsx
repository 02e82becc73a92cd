import { type SettingsWords, settingsWords } from "@askwire/client/push-words";
import { type Language, languageNames, languages, type PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import { type ComponentProps, type ReactNode, useRef, useState } from "react";
import type { KeptServer } from "../kept/kept-servers.js";
import { later } from "./later.js";
import type { PageParts } from "./parts.js";
import { Sign } from "./sign.js";

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
  const own = settingsWords[spoken];
  const ref = useRef<HTMLDialogElement>(null);
  const { notices } = signals;
  const { sound: sounds, notify } = useStore(settings);
  const isRemembered = useStore(server.credentials.remembered);
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

  return (
    <>
      <button type="button" onClick={() => ref.current?.showModal()}>
        <Sign name="settings">{words.settings}</Sign>
      </button>
      <dialog ref={ref} className="settings" aria-labelledby="settings-title" onFocus={look}>
        <h2 id="settings-title">{words.settings}</h2>
        <Group name={own.groups.told}>
          <Switch
            label={own.notify}
            checked={notify && hindrance === undefined}
            disabled={hindrance !== undefined}
            onChange={({ target }) => void changeNotify(target.checked)}
            {...(hindrance !== undefined && { "aria-describedby": "no-notice" })}
          />
          {hindrance !== undefined && <p id="no-notice">{own.noNotice[hindrance]}</p>}
          <Switch
            label={own.sound}
            checked={sounds}
            onChange={({ target }) => changeSound(signals, settings, target.checked)}
          />
        </Group>
        {wasOpened && (
          <PushSettings
            {...{ signals, places, device, server }}
            language={spoken}
            key={spoken + server.origin}
          />
        )}
        <Looks settings={settings} words={words} name={own.groups.looks} />
        <Group name={own.groups.device}>
          <Asking settings={settings} words={own} />
          <Switch
            label={server.isHome ? own.remember : own.rememberAt(new URL(server.origin).host)}
            checked={isRemembered}
            onChange={({ target }) => server.credentials.remember(target.checked)}
          />
        </Group>
        <div className="buttons">
          <button type="button" className="main" onClick={() => ref.current?.close()}>
            {words.close}
          </button>
          <button type="button" onClick={() => places.leave()}>
            {isOnly ? own.forget : own.forgetAll}
          </button>
        </div>
      </dialog>
    </>
  );
}

function changeSound(
  { sound }: PageParts["signals"],
  settings: PageParts["settings"],
  wanted: boolean,
): void {
  sound.allow();
  settings.change({ sound: wanted });
}

/** The choices of how the page looks, and of its language. */
function Looks({
  settings,
  words,
  name,
}: Pick<PageParts, "settings"> & { readonly words: PageWords; readonly name: string }): ReactNode {
  const { language, theme } = useStore(settings);
  return (
    <Group name={name}>
      <Choice
        {...{ label: words.theme, value: theme, names: words.themes }}
        onChoose={(theme) => settings.change({ theme })}
      />
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
    </Group>
  );
}

/** The choice whether new sessions ask. */
function Asking({
  settings,
  words,
}: Pick<PageParts, "settings"> & { readonly words: SettingsWords }): ReactNode {
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

/** Choices of one kind, below their name. */
const Group = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode => (
  <fieldset className="group">
    <legend>{name}</legend>
    {children}
  </fieldset>
);

/** A choice that counts at once, with its label. */
const Switch = ({ label, ...box }: ComponentProps<"input"> & { readonly label: string }): ReactNode => (
  <label>
    {/* biome-ignore lint/a11y/useAriaPropsForRole: a check box tells its state by itself */}
    <input type="checkbox" role="switch" {...box} />
    {label}
  </label>
);
