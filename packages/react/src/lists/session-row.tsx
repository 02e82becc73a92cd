import { visibleLine } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { HeardSession } from "@askwire/protocol";
import { type ReactNode, useId, useState } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { Sure } from "../cards/sure.js";
import { useFocusBack } from "../cards/use-focus-back.js";
import { Icon } from "../looks/icon.js";
import { folderName, KEPT } from "./session-groups.js";

interface SessionRowProps {
  readonly session: HeardSession;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly words: TalkWords;
  readonly isCurrent: boolean;
  onOpen(): void;
  /** Closes the session for everybody. Undefined: its menu offers that not. */
  readonly onClose: (() => void) | undefined;
}

/** A session on two lines, and its menu. */
export function SessionRow({ session, now, words, isCurrent, onOpen, onClose }: SessionRowProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const menu = useId();
  const { id, title, folder = "", state, oldest, open = 0, active_at } = session;
  const name = title ?? words.untitled;
  const minutes = minutesSince(oldest?.since ?? active_at, now);
  const told = oldest === undefined ? words.state(state) : words.waitsFor(open, minutes ?? 0);
  const place = folderName(folder) || id;
  return (
    <>
      <button
        type="button"
        className="askwire-session"
        aria-current={isCurrent ? "true" : undefined}
        onClick={onOpen}
      >
        <Sign {...{ session }} />
        <strong>
          <Foreign text={name} />
        </strong>
        {minutes !== undefined && <small className="askwire-age">{words.ago(minutes)}</small>}
        <small className="askwire-second">
          <Foreign text={oldest === undefined ? `${place} · ${told}` : words.told(oldest.text)} />
        </small>
        <small className="askwire-unseen">
          {oldest === undefined ? "" : told}
          {isCurrent && `${oldest === undefined ? "" : ", "}${words.here}`}
        </small>
      </button>
      {state !== KEPT && (
        <button
          type="button"
          className="askwire-plain askwire-more"
          aria-label={words.moreOf(visibleLine(name))}
          aria-expanded={isOpen}
          aria-controls={menu}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" />
        </button>
      )}
      <div id={menu} className="askwire-session-menu" hidden={!isOpen}>
        {isOpen && <Menu {...{ session, words, onClose }} />}
      </div>
    </>
  );
}

/** The state of a session, for the eye alone. */
function Sign({ session: { state, oldest, open = 0 } }: { readonly session: HeardSession }): ReactNode {
  if (oldest !== undefined || open > 0) return <span className="askwire-dot" aria-hidden="true" />;
  if (state === "running") return <span className="askwire-ring" aria-hidden="true" />;
  return <Icon name="check" className="askwire-quiet" />;
}

/** All of the session's place and id, and the way to close it for everybody, which asks once more. */
function Menu({
  session: { id, title, folder = "", host = "" },
  words,
  onClose,
}: Pick<SessionRowProps, "session" | "words" | "onClose">): ReactNode {
  const [asks, setAsks] = useState(false);
  const close = useFocusBack<HTMLButtonElement>(!asks);
  return (
    <>
      <small>
        <Foreign text={[words.sessionId(id), words.place(folder, host)].filter(Boolean).join(" · ")} />
      </small>
      {onClose !== undefined && !asks && (
        <p>
          <small>{words.closesForAll}</small>
          <button
            ref={close}
            type="button"
            aria-label={words.closeOf(visibleLine(title ?? words.untitled))}
            onClick={() => setAsks(true)}
          >
            {words.close}…
          </button>
        </p>
      )}
      {asks && (
        <Sure
          question={words.closeSure}
          yes={words.close}
          no={words.keep}
          onYes={() => {
            setAsks(false);
            onClose?.();
          }}
          onNo={() => setAsks(false)}
        />
      )}
    </>
  );
}

/** Whole minutes since a time in ISO 8601. Undefined without one. */
function minutesSince(time: string | undefined, now: number): number | undefined {
  const from = Date.parse(time ?? "");
  return Number.isNaN(from) ? undefined : Math.max(0, Math.floor((now - from) / 60_000));
}
