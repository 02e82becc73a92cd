import { exactText } from "@askwire/client/text";
import type { CardWords } from "@askwire/client/words";
import type { DisplayBlock } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Coloured, type Highlight } from "../looks/coloured.js";
import { Copied } from "../looks/copied.js";
import { Icon } from "../looks/icon.js";
import { Difference } from "./difference.js";
import type { DifferenceWords } from "./difference-lines.js";
import { Foreign } from "./foreign-text.js";

/** Something that an agent shows with an approval: a change, a command in full, a list, or a block as JSON. */
export function DisplayedBlock({
  block,
  words,
  highlight,
  onOpenChange,
}: {
  readonly block: DisplayBlock;
  /** Opens the whole difference of a file elsewhere. Default: a long one is only shown here, piece by piece. */
  onOpenChange?: ((path: string) => void) | undefined;
  /** Finds the colours of commands and differences. Default: they are plain. */
  readonly highlight?: Highlight | undefined;
  readonly words: DifferenceWords & Pick<CardWords, "told" | "status" | "copy">;
}): ReactNode {
  if (is(block, "diff")) return <Difference change={block} {...{ words, highlight, onOpenChange }} />;
  if (is(block, "shell"))
    return <CopiedCode text={block.command} language={block.language} {...{ words, highlight }} />;
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
const Code = ({ text, language = "", highlight }: CodeProps): ReactNode => (
  <pre className="askwire-code">
    <code>
      <bdi dir="auto">
        <Coloured code={exactText(text)} {...{ language, highlight }} />
      </bdi>
    </code>
  </pre>
);

interface CodeProps {
  readonly text: string;
  /** Default: none, which is plain. */
  readonly language?: string;
  readonly highlight?: Highlight | undefined;
}

/** Code with a button to copy it. */
export const CopiedCode = ({
  words,
  ...code
}: CodeProps & { readonly words: { readonly copy: string } }): ReactNode => (
  <Copied text={code.text} words={words}>
    <Code {...code} />
  </Copied>
);

const Paragraph = ({ text }: { readonly text: string }): ReactNode => (
  <p>
    <Foreign text={text} />
  </p>
);
