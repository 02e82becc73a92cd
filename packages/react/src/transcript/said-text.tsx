import { readFenced } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { CopiedCode } from "../cards/display-block.js";
import { Foreign } from "../cards/foreign-text.js";
import { Icon } from "../looks/icon.js";
import type { Said } from "./entries.js";
import { Folded, foldedText, Lines } from "./folded.js";

/** A person's words with their lines. The files that came with them are folded, each under its name. */
export function SaidText({ said, words }: { readonly said: Said; readonly words: TalkWords }): ReactNode {
  const parts = said.map((part) => ({
    part,
    file: typeof part === "string" ? readFenced(part) : undefined,
  }));
  const text = foldedText(
    parts.flatMap(({ part, file }) => (file === undefined ? [part] : [])),
    words,
  );
  const files = parts.flatMap(({ file }) => (file === undefined ? [] : [file]));
  return (
    <>
      {text !== "" && <Lines text={text} />}
      {files.map((file, index) => (
        <Folded
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          key={index}
          className="askwire-fold"
          summary={
            <>
              <Icon name="file" />
              <Foreign text={file.name} />
            </>
          }
        >
          {() => <CopiedCode text={file.text} words={words} />}
        </Folded>
      ))}
    </>
  );
}
