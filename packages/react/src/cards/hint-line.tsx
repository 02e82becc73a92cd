import { type ReactNode, useEffect, useRef } from "react";
import { Foreign } from "./foreign-text.js";

/** The reason why the last press did nothing, or why the answer was not taken. It comes into sight. */
export function HintLine({
  id,
  text,
}: {
  readonly id?: string;
  readonly text: string | undefined;
}): ReactNode {
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text) box.current?.scrollIntoView({ block: "nearest" });
  }, [text]);
  return (
    <p ref={box} id={id} className="askwire-hint" role="status">
      {text && <Foreign text={text} />}
    </p>
  );
}
