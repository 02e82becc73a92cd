import { type ReactNode, useEffect, useRef } from "react";

/** Asks once more before something is lost. The focus goes to the button that keeps it. */
export function Sure({
  question,
  yes,
  no,
  onYes,
  onNo,
}: {
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  onYes(): void;
  onNo(): void;
}): ReactNode {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    keep.current?.focus();
  }, []);
  return (
    <span className="askwire-sure">
      <span role="alert">{question}</span>{" "}
      <button type="button" onClick={onYes}>
        {yes}
      </button>{" "}
      <button ref={keep} type="button" onClick={onNo}>
        {no}
      </button>
    </span>
  );
}
