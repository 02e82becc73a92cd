import type { CardWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Difference } from "./difference.js";
import { Foreign } from "./foreign-text.js";

/** Something that an agent shows with an approval: a change, a command in full, a list, or a block as JSON. */
export function DisplayedBlock({
  block,
  words,
}: {
  readonly block: DisplayBlock;
  readonly words: Pick<CardWords, "told" | "added" | "removed" | "lineEnds" | "status">;
}): ReactNode {
  if (is(block, "diff")) return <Difference change={block} words={words} />;
  if (is(block, "shell")) return <Code text={block.command} />;
  if (is(block, "brief")) return <Paragraph text={words.told(block.text)} />;
  if (is(block, "background_task"))
    return <Paragraph text={`${block.description} (${words.status(block.status)})`} />;
  if (is(block, "todo")) {
    return (
      <ul>
        {block.items.map(({ title, status }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name, and never move
          <li key={index}>
            <Foreign text={`${title} (${words.status(status)})`} />
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

const Paragraph = ({ text }: { readonly text: string }): ReactNode => (
  <p>
    <Foreign text={text} />
  </p>
);
