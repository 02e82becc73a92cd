import { type FormAction, isChosen, type QuestionDraft } from "@askwire/client/form";
import { type CardWords, recommendedWords } from "@askwire/client/words";
import type { CoreOption, CoreQuestion } from "@askwire/protocol";
import { type ReactNode, useState } from "react";
import { Foreign } from "./foreign-text.js";

/** The most options that are shown without a field to search them. */
const MANY = 12;

/** The options of a question. Many can be searched; what is chosen stays in sight. */
export function Options({
  id,
  question,
  draft,
  words,
  act,
  onLook,
}: {
  readonly id: string;
  readonly question: CoreQuestion;
  readonly draft: QuestionDraft;
  readonly words: CardWords;
  act(action: FormAction): void;
  /** Called when the pointer is on an option with a preview. */
  onLook(row: number): void;
}): ReactNode {
  const [wanted, setWanted] = useState("");
  const { options } = question;
  const isPicked = (index: number) => isChosen(question, draft, { is: "option", index });
  const isShown = (option: CoreOption, index: number) => matches(option, wanted) || isPicked(index);
  // Of many, those that are chosen come first once the list opens anew. While one reads, no row moves.
  const [order] = useState(() => {
    const all = options.map((_, index) => index);
    return options.length > MANY ? all.sort((a, b) => +isPicked(b) - +isPicked(a)) : all;
  });
  return (
    <>
      {options.length > MANY && (
        <div className="askwire-search">
          <label htmlFor={`${id}s`}>{words.search}</label>
          <input
            id={`${id}s`}
            type="search"
            dir="auto"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
          <p role="status">{wanted !== "" && words.found(options.filter(isShown).length, options.length)}</p>
        </div>
      )}
      {order.map((index) => {
        const option = options[index] as CoreOption;
        return (
          <OptionRow
            key={option.id}
            {...{ id: `${id}o${index}`, question, draft, option, index, words }}
            isHidden={!isShown(option, index)}
            name={`${id}n`}
            onSelect={() => act({ type: "select", row: index })}
            onLook={() => onLook(index)}
          />
        );
      })}
    </>
  );
}

/** The advice at the end of a label. */
const ADVICE = new RegExp(`(?<=\\S)\\s*[(（](?:${Object.values(recommendedWords).join("|")})[)）]$`, "iu");

/** True if each word of the search is in the label or the description. */
function matches({ label, description }: CoreOption, wanted: string): boolean {
  const text = `${label} ${description}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function OptionRow({
  id,
  question,
  draft,
  option,
  index,
  name,
  words,
  isHidden,
  onSelect,
  onLook,
}: {
  readonly id: string;
  readonly question: CoreQuestion;
  readonly draft: QuestionDraft;
  readonly option: CoreOption;
  readonly index: number;
  readonly name: string;
  readonly words: CardWords;
  readonly isHidden: boolean;
  onSelect(): void;
  /** Called when the pointer is on an option with a preview. */
  onLook(): void;
}): ReactNode {
  const isDefault = question.default?.includes(option.id) === true;
  // Models write their advice into the label: it is shown as the mark that the wire has for it, and sent as it came.
  const label = option.label.replace(ADVICE, "");
  const isRecommended = option.recommended === true || label !== option.label;
  const described = option.description !== "";
  return (
    <div
      className="askwire-option"
      hidden={isHidden}
      {...(option.preview !== undefined && { onPointerEnter: onLook })}
    >
      <input
        type={question.multi_select ? "checkbox" : "radio"}
        id={id}
        name={name}
        data-askwire-row={index}
        checked={isChosen(question, draft, { is: "option", index })}
        onChange={onSelect}
        {...(described && { "aria-describedby": `${id}d` })}
      />
      <label htmlFor={id}>
        <Foreign text={label} />{" "}
        {isRecommended && <small className="askwire-pill">{words.recommended}</small>}
        {isDefault && <small className="askwire-pill">{words.byDefault}</small>}
      </label>
      {described && (
        <p id={`${id}d`}>
          <Foreign text={option.description} />
        </p>
      )}
    </div>
  );
}
