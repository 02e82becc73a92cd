import { answerLimits } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import { Icon } from "../looks/icon.js";
import { shownWays } from "./approval-ways.js";
import { Foreign } from "./foreign-text.js";
import { NoteField } from "./note-field.js";
import { RefusedNote } from "./refused.js";
import { RejectStep } from "./reject-step.js";
import { isChoice, Scopes } from "./scopes.js";
import { TooLong } from "./too-long.js";
import type { ApprovalPageProps } from "./use-approval.js";
import { useFocusBack } from "./use-focus-back.js";
import { OPENS_STEP } from "./use-press-guard.js";

/** The part of an approval that answers: how far it goes and the buttons, or in their place the step that rejects. */
export function ApprovalPage({ request, ...props }: ApprovalPageProps): ReactNode {
  const { id, words, press } = props;
  const { work, isRejecting, isEditing, isChanged, reasons, showReject, showEditor, keep } = props.approval;
  const { note = "" } = work;
  const { allow, rejects } = shownWays(request, words);
  const [chosenId, setChosen] = useState(allow[0]?.id);
  const chosen = allow.find((way) => way.id === chosenId) ?? allow[0];
  const why = useFocusBack<HTMLTextAreaElement>(isRejecting);
  const reject = useFocusBack<HTMLButtonElement>(!isRejecting);
  if (isRejecting) return <RejectStep {...props} ways={rejects} box={why} />;
  return (
    <>
      {isChoice(allow) && (
        <Scopes {...{ id, ways: allow, chosen }} heading={words.howFar} onChoose={setChosen} />
      )}
      {chosen !== undefined && (
        <>
          <NoteField id={`${id}n`} {...{ note, words }} onChange={(note) => keep({ note })} />
          <TooLong id={`${id}nl`} text={note.trim()} most={answerLimits.words} words={words} />
        </>
      )}
      <RefusedNote {...{ reasons, words }} />
      <div className="askwire-buttons">
        {rejects.length > 0 && (
          <button ref={reject} type="button" {...{ [OPENS_STEP]: "" }} onClick={() => showReject(true)}>
            {words.rejectStep}
          </button>
        )}
        {request.edit !== undefined && (
          <button type="button" className="askwire-plain" onClick={() => showEditor(!isEditing)}>
            {isEditing ? (
              words.seeDifference
            ) : (
              <>
                <Icon name="pen" /> {words.edit}
              </>
            )}
          </button>
        )}
        {chosen !== undefined && (
          <button type="button" className="askwire-main askwire-allow" onClick={() => press(chosen)}>
            <Foreign text={isChanged && chosen.label === words.approve ? words.approveMine : chosen.label} />
          </button>
        )}
      </div>
    </>
  );
}
