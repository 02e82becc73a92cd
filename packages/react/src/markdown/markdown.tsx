"use client";

import type { MarkdownWords } from "@askwire/client/words";
import { markdown as english } from "@askwire/client/words/en";
import { memo, type ReactNode, useRef } from "react";
import { asWritten, type RenderMarkdown } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { Highlight } from "../looks/coloured.js";
import { type Blocks, blocksOf, headingLevels, type MarkdownBlock, tokensOf } from "./blocks.js";
import { elements } from "./elements.js";

/** The props of {@link Markdown}. */
export interface MarkdownProps {
  /** The Markdown. It may grow: only the blocks that change are rendered again. */
  readonly text: string;
  /** The level of the first heading. Deeper ones follow without a gap. Default: 3. */
  readonly level?: number;
  /** Finds the colours of code blocks, as `codeColours` of `@askwire/react/code` makes it. Default: code is plain. */
  readonly highlight?: Highlight;
  /**
   * Opens a file that a link names, as `path`, `path:line` or `path:line:column`. A path of an agent may lead anywhere:
   * check it. Default: such a link is text.
   */
  readonly onOpenFile?: (path: string) => void;
  /** The words of the component. Default: English, `markdownWords.en`. */
  readonly words?: MarkdownWords;
}

/**
 * Markdown of an agent as elements. No text becomes markup: HTML is shown as it was written, links lead to the web or to
 * a mail and open without an opener, and images are links.
 */
export function Markdown(props: MarkdownProps): ReactNode {
  return (
    <ErrorBoundary part="" instead={() => asWritten(props.text)}>
      <Text {...props} />
    </ErrorBoundary>
  );
}

function Text({ text, level = 3, words = english, highlight, onOpenFile }: MarkdownProps): ReactNode {
  const last = useRef<Blocks>(undefined);
  const lines = text.replace(/\r\n?/g, "\n");
  const blocks = last.current?.text === lines ? last.current : blocksOf(lines, last.current);
  last.current = blocks;
  const links = JSON.stringify(blocks.links);
  const levels = headingLevels(blocks.list, level);
  return (
    <div className="askwire askwire-markdown">
      {blocks.list.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its position
        <ErrorBoundary key={index} part="" instead={() => asWritten(block.raw)}>
          <Read
            {...block}
            links={links}
            level={levels[index] as number}
            words={words}
            highlight={highlight}
            onOpenFile={onOpenFile}
          />
        </ErrorBoundary>
      ))}
    </div>
  );
}

/** A block as elements. What cannot be read, such as a thousand quotes within each other, is shown as written. */
const Read = memo(function Read({
  raw,
  isLong,
  links,
  level,
  words,
  highlight,
  onOpenFile,
}: MarkdownBlock & {
  readonly links: string;
  readonly level: number;
  readonly words: MarkdownWords;
  readonly highlight: Highlight | undefined;
  readonly onOpenFile: MarkdownProps["onOpenFile"] | undefined;
}): ReactNode {
  if (isLong) return asWritten(raw);
  try {
    return elements(tokensOf(raw, JSON.parse(links)), { words, level, highlight, onOpenFile, depth: 0 });
  } catch {
    return asWritten(raw);
  }
});

/** Makes elements of Markdown, for the cards and the transcript. */
export const renderMarkdown: RenderMarkdown = (markdown, highlight) => (
  <Markdown text={markdown} {...(highlight !== undefined && { highlight })} />
);
