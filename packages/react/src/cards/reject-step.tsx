import { answerLimits } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, type RefObject, useState } from "react";
import type { Way } from "./approval-ways.js";
import { isComposing, takesText } from "./composing.js";
import { Foreign } from "./foreign-text.js";
import { RefusedNote } from "./refused.js";
import { isChoice, Scopes } from "./scopes.js";
import { TooLong } from "./too-long.js";
import type { ApprovalPageProps } from "./use-approval.js";

/**
 * The step of an approval that rejects: how far, and words for the agent, of which there may be none. Nothing is sent
 * before its own button is pressed, or Ctrl-Enter.
 */
export function RejectStep({
  id,
  ways,
  box,
  approval: { work, reasons, keep, showReject },
  words,
  press,
}: Omit<ApprovalPageProps, "request"> & {
  readonly ways: readonly Way[];
  readonly box: RefObject<HTMLTextAreaElement | null>;
}): ReactNode {
  const [chosenId, setChosen] = useState(ways[0]?.id);
  const chosen = ways.find((way) => way.id === chosenId) ?? ways[0];
  if (chosen === undefined) return null;
  const isPlain = chosen.label === words.reject;

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    if (event.key === "Escape" && takesText(event.target)) showReject(false);
    else if (event.key !== "Enter" || event.repeat || !(event.ctrlKey || event.metaKey)) return;
    else press(chosen as Way);
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the fields in it */}
      <div className="askwire-step" onKeyDown={onKeyDown}>
        {isChoice(ways) && (
          <Scopes {...{ id, ways, chosen }} heading={words.howFarReject} onChoose={setChosen} />
        )}
        <label htmlFor={`${id}w`} className="askwire-label">
          {words.rejectWhy} <span className="askwire-optional">{words.mayBeEmpty}</span>
        </label>
        <textarea
          ref={box}
          id={`${id}w`}
          className="askwire-why"
          dir="auto"
          rows={Math.min(8, Math.max(2, work.why.split("\n").length))}
          aria-describedby={`${id}wl`}
          value={work.why}
          onChange={({ target }) => keep({ why: target.value })}
        />
        <TooLong id={`${id}wl`} text={work.why.trim()} most={answerLimits.words} words={words} />
      </div>
      <RefusedNote {...{ reasons, words }} />
      <div className="askwire-buttons">
        <button type="button" className="askwire-plain" onClick={() => showReject(false)}>
          {words.back}
        </button>
        <button type="button" className="askwire-main" onClick={() => press(chosen)}>
          <Foreign text={isPlain && work.why.trim() !== "" ? words.rejectWithWords : chosen.label} />
        </button>
      </div>
    </>
  );
}
