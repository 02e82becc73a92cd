import type { ClientSession } from "@askwire/client";
import type { PairingWords } from "@askwire/client/push-words";
import { visibleLine } from "@askwire/client/text";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { QrCode } from "./qr-code.js";
import { type CodeState, usePairingCode } from "./use-pairing-code.js";

/** The sheet that adds a phone: a code of the server, which counts while the sheet is open. */
export default function PhoneSheet({
  session,
  own,
  close,
  port,
  onClose,
}: {
  readonly session: ClientSession;
  readonly own: PairingWords;
  /** The word on the button that closes the sheet. */
  readonly close: string;
  /** The port of the server; empty for that of its scheme. */
  readonly port: string;
  onClose(): void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const [role, setRole] = useState<"answer">();
  const [number, setNumber] = useState(0);
  const [person, setPerson] = useState("");
  const [typed, setTyped] = useState("");
  const state = usePairingCode(session, { ...(role && { role }), ...(person && { person }) }, number);
  useEffect(() => {
    dialog.current?.showModal();
    title.current?.focus();
  }, []);

  /** Asks for the next code. The phone that was added last is its own person's. */
  function another() {
    if (state.is === "used") {
      setTyped("");
      setPerson("");
    }
    setNumber(number + 1);
  }

  // The code of another name must not be read while one is typed.
  const isNamed = typed.trim() === person;
  const isEnded = state.is === "used" || state.is === "over" || state.is === "failed";
  return (
    <dialog ref={dialog} className="add-phone" aria-labelledby="add-phone" onClose={onClose}>
      <h2 id="add-phone" ref={title} tabIndex={-1}>
        {own.title}
      </h2>
      {isNamed && <CodePart {...{ state, own, port }} />}
      <p role="status">{isNamed ? toldOf(state, own) : own.asking}</p>
      {(state.is === "asked" || state.is === "made" || state.is === "failed") && (
        <label>
          {own.whose}
          <input
            type="text"
            autoComplete="off"
            maxLength={200}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => setPerson(typed.trim())}
            onKeyDown={({ key }) => key === "Enter" && setPerson(typed.trim())}
          />
        </label>
      )}
      {(state.is === "asked" || state.is === "made") && (
        <fieldset>
          <legend>{own.may}</legend>
          {([undefined, "answer"] as const).map((one) => (
            <label key={one ?? "all"}>
              <input type="radio" name="may" checked={role === one} onChange={() => setRole(one)} />
              {own.mays[one ?? "all"]}
            </label>
          ))}
        </fieldset>
      )}
      {state.is === "made" && state.address.startsWith("http:") && <p className="warning">{own.readable}</p>}
      <div className="buttons">
        <button
          type="button"
          className={state.is === "used" ? "main" : undefined}
          onClick={() => dialog.current?.close()}
        >
          {close}
        </button>
        {isEnded && (
          <button type="button" onClick={another}>
            {own.another}
          </button>
        )}
      </div>
    </dialog>
  );
}

/** The words of a state for everybody, also where nobody looks. */
function toldOf(state: CodeState, own: PairingWords): ReactNode {
  if (state.is === "asked") return own.asking;
  if (state.is === "used") return <bdi>{own.paired(visibleLine(state.device))}</bdi>;
  if (state.is === "failed") return <bdi>{own.failed(visibleLine(state.why))}</bdi>;
  return state.is === "over" ? own.over : "";
}

/** The code with its address, or the ways to one that a phone reaches. */
function CodePart({
  state,
  own,
  port,
}: {
  readonly state: CodeState;
  readonly own: PairingWords;
  readonly port: string;
}): ReactNode {
  if (state.is === "unreachable")
    return (
      <>
        <p>{own.unreachable}</p>
        <ul>
          {[`--listen 0.0.0.0:${port || "0"} --allow-remote`, "--public-url https://ask.example"].map(
            (way) => (
              <li key={way}>
                <code>{way}</code>
              </li>
            ),
          )}
        </ul>
      </>
    );
  if (state.is !== "made") return null;
  const { address, code, until } = state;
  return (
    <div className="code">
      <QrCode text={`${address}/#code=${code}`} label={own.qr} />
      <div>
        <p>{own.scan}</p>
        <p>
          <code>{address}</code>
        </p>
        <p>
          <strong translate="no">{code}</strong>
        </p>
        <Left until={until} own={own} />
      </div>
    </div>
  );
}

/** The time that the code still counts. */
function Left({ until, own }: { readonly until: number; readonly own: PairingWords }): ReactNode {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return (
    <p className="quiet" role="timer">
      {own.counts(left)}
    </p>
  );
}
