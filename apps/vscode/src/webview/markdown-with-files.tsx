import type { Highlight } from "@askwire/react/code";
import { Markdown } from "@askwire/react/markdown";
import { type ReactNode, useCallback } from "react";

/** Renders Markdown of the agent, whose links to files open them. The function stays the same while `openFile` does. */
export const useMarkdownWithFiles = (openFile: (path: string) => void) =>
  useCallback(
    (text: string, highlight?: Highlight): ReactNode => (
      <Markdown text={text} onOpenFile={openFile} {...(highlight !== undefined && { highlight })} />
    ),
    [openFile],
  );
