import { type PushWords, pushWords } from "@askwire/client/push-words";
import type { Language } from "@askwire/client/words";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { KeptServer } from "../kept/kept-servers.js";
import { turnOff, turnOn } from "../push/device-push.js";
import { type PushCall, type PushState, pushCalls } from "../push/push-calls.js";
import { tellVisibility } from "../push/visibility.js";
import type { PageParts } from "./parts.js";
import { PushChoicesPart } from "./push-choices.js";

interface PushSettingsProps extends Pick<PageParts, "signals" | "places" | "device"> {
  readonly server: KeptServer;
  readonly language: Language;
}

type Hindrance = keyof PushWords["hindered"];

/** The choices about notifications that come while the page is closed, or the reason why there are none. */
export default function PushSettings({
  signals: { notices },
  places,
  device,
  server,
  language,
}: PushSettingsProps): ReactNode {
  const words = pushWords[language];
  const { credentials } = server;
  const calls = pushCalls(credentials.token, (...call) => fetch(...call));
  const [state, setState] = useState<PushState>();
  const [hindrance, setHindrance] = useState<Hindrance | "homeScreen">();
  const [note, setNote] = useState("");
  /** The change that is being made; undefined while none is. */
  const [wanted, setWanted] = useState<boolean>();
  const isOn = state !== undefined && state.subscription !== null;

  async function look(): Promise<void> {
    const found = hindranceOf(notices.hindrance(), server.isHome);
    if (found !== undefined) return setHindrance(found);
    const reply = await calls({ do: "look" });
    setHindrance("refused" in reply ? (reply.refused === "unpaired" ? "unpaired" : "unserved") : undefined);
    if (!("refused" in reply)) setState(reply);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the dialog is opened for one server, and looked at then.
  useEffect(() => {
    void look();
  }, []);

  // A page that was loaded with them on says so by itself.
  const [isNew, setNew] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the calls are the same ones each time.
  useEffect(() => {
    if (!isNew) return () => {};
    const end = tellVisibility(calls, document, () => places.shown());
    return () => end();
  }, [isNew]);

  async function change(wanted: boolean): Promise<void> {
    if (state === undefined) return;
    setWanted(wanted);
    setNote(words.busy);
    const parts = { notices, calls, credentials, device };
    const reply = wanted ? await turnOn({ key: state.key, language }, parts) : await turnOff(parts);
    setWanted(undefined);
    if ("key" in reply) {
      setState(reply);
      setNew(wanted);
      return setNote(wanted ? words.remembers : "");
    }
    setNote("problem" in reply ? problemText(reply, words) : words.failed.server);
    if ("problem" in reply && reply.problem === "denied") setHindrance("denied");
  }

  /** The number of the last call: a reply to one before it knows less than the page shows. */
  const last = useRef(0);

  /** Asks the server for what is no turning on or off. */
  async function call(asked: PushCall): Promise<void> {
    last.current += 1;
    const nth = last.current;
    if (asked.do === "choose" && state !== undefined && state.subscription !== null) {
      const { do: _, ...choices } = asked;
      setState({ ...state, subscription: { ...state.subscription, ...choices } });
    }
    const reply = await calls(asked);
    if (!("refused" in reply)) {
      if (nth === last.current) setState(reply);
      return setNote(asked.do === "test" ? words.sent : "");
    }
    if (reply.refused === "too_soon") setNote(words.tooSoon);
    else
      setNote(asked.do === "test" && reply.why !== "" ? words.undelivered(reply.why) : words.failed.server);
    // Takes back the choice that was shown before the server had it.
    if (asked.do === "choose" || reply.why === "unsubscribed") await look();
  }

  if (hindrance === "homeScreen") return <HomeScreen words={words} />;
  return (
    <fieldset className="push">
      <legend>{words.heading}</legend>
      {hindrance !== undefined && <Hindered why={hindrance} {...{ words, look }} />}
      {hindrance === undefined && state !== undefined && (
        <>
          <PushSwitch {...{ words, isOn, wanted, change }} text={state.text} />
          {state.subscription !== null && (
            <PushChoicesPart {...{ words, call, places }} choices={state.subscription} />
          )}
        </>
      )}
      <p role="status">{note}</p>
    </fieldset>
  );
}

/** The reason why there are none, and another look at it. */
const Hindered = ({
  why,
  words,
  look,
}: {
  readonly why: Hindrance;
  readonly words: PushWords;
  readonly look: () => Promise<void>;
}): ReactNode => (
  <>
    <p>{words.hindered[why]}</p>
    <button type="button" onClick={() => void look()}>
      {words.again}
    </button>
  </>
);

/** Turns them on or off, and says what they show. A change that is being made is shown in advance. */
const PushSwitch = ({
  words,
  text,
  isOn,
  wanted,
  change,
}: {
  readonly words: PushWords;
  readonly text: PushState["text"];
  readonly isOn: boolean;
  readonly wanted: boolean | undefined;
  readonly change: (wanted: boolean) => Promise<void>;
}): ReactNode => (
  <>
    <label>
      <input
        type="checkbox"
        checked={wanted ?? isOn}
        disabled={wanted !== undefined}
        onChange={({ target }) => void change(target.checked)}
      />
      {words.on}
    </label>
    <p className="quiet">
      {words.shows[text]} {words.learns}
    </p>
  </>
);

/** The reason that the page itself knows. On iOS, a page in Safari is led to the home screen. */
function hindranceOf(
  noNotice: "insecure" | "unsupported" | "denied" | undefined,
  isHome: boolean,
): Hindrance | "homeScreen" | undefined {
  if (!isHome) return "elsewhere";
  if (noNotice === "insecure") return "insecure";
  if ("standalone" in navigator && navigator.standalone === false) return "homeScreen";
  if (noNotice !== undefined) return noNotice;
  return "PushManager" in globalThis && "serviceWorker" in navigator ? undefined : "unsupported";
}

function problemText(
  { problem, host = "" }: { readonly problem: string; readonly host?: string },
  { hindered, failed }: PushWords,
): string {
  if (problem === "host") return `${failed.host} ${host}`;
  if (problem === "browser" || problem === "taken") return failed[problem];
  // The line above says why already.
  if (problem === "denied") return "";
  return problem === "unsupported" || problem === "unpaired" || problem === "unserved"
    ? hindered[problem]
    : failed.server;
}

/** The steps by which an iPhone or iPad gets an app that may have notifications. */
const HomeScreen = ({ words }: { readonly words: PushWords }): ReactNode => (
  <fieldset className="push">
    <legend>{words.heading}</legend>
    <p>{words.homeScreen}</p>
    <ol>
      {words.homeScreenSteps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </fieldset>
);
