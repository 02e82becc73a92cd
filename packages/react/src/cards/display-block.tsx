import type { CardWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Copied } from "../looks/copied.js";
import { Icon } from "../looks/icon.js";
import { Difference } from "./difference.js";
import { Foreign } from "./foreign-text.js";

/** Something that an agent shows with an approval: a change, a command in full, a list, or a block as JSON. */
export function DisplayedBlock({
  block,
  words,
}: {
  readonly block: DisplayBlock;
  readonly words: Pick<CardWords, "told" | "added" | "removed" | "lineEnds" | "status" | "copy">;
}): ReactNode {
  if (is(block, "diff")) return <Difference change={block} words={words} />;
  if (is(block, "shell")) return <CopiedCode text={block.command} words={words} />;
  if (is(block, "brief")) return <Paragraph text={words.told(block.text)} />;
  if (is(block, "background_task"))
    return <Paragraph text={`${block.description} (${words.status(block.status)})`} />;
  if (is(block, "todo")) {
    return (
      <ul className="askwire-todo">
        {block.items.map(({ title, status }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and never move
          <li key={index} data-status={status}>
            {status === "in_progress" ? (
              <span className="askwire-ring" aria-hidden="true" />
            ) : (
              <Icon name={status === "done" ? "check" : "circle"} />
            )}
            <Foreign text={title} />
            <span className="askwire-unseen"> ({words.status(status)})</span>
          </li>
        ))}
      </ul>
    );
  }
  return <Code text={JSON.stringify("data" in block ? block.data : block, null, 2)} />;
}

type Known = Exclude<DisplayBlock, { data: unknown }>;

/** True for a block of this type, which has that type's fields: others come under `data`. */
const is = <T extends Known["type"]>(block: DisplayBlock, type: T): block is Extract<Known, { type: T }> =>
  block.type === type;

/** Code as it was written. */
export const Code = ({ text }: { readonly text: string }): ReactNode => (
  <pre className="askwire-code">
    <code>
      <Foreign text={text} />
    </code>
  </pre>
);

/** Code with a button to copy it. */
export const CopiedCode = ({
  text,
  words,
}: {
  readonly text: string;
  readonly words: { readonly copy: string };
}): ReactNode => (
  <Copied text={text} words={words}>
    <Code text={text} />
  </Copied>
);

const Paragraph = ({ text }: { readonly text: string }): ReactNode => (
  <p>
    <Foreign text={text} />
  </p>
);
