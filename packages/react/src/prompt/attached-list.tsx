import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import { type ReactNode, type RefObject, useRef } from "react";
import { Picture } from "../cards/pictures.js";
import { type TakenFiles, useFiles } from "../cards/use-files.js";
import { Icon } from "../looks/icon.js";
import { type AttachedFiles, readAttached } from "./attached.js";

/** The ways in which pictures and files come to the words, and if any is still being read. */
export function useAttached(
  attached: readonly AttachedFiles[],
  onAttach: (attached: readonly AttachedFiles[]) => void,
  words: TalkWords,
): TakenFiles & { readonly reading: RefObject<boolean> } {
  const reading = useRef(false);
  const taken = useFiles<AttachedFiles>({
    held: attached,
    onHold: onAttach,
    isMeant: () => true,
    async read(file, others) {
      const read = await readAttached(file, others);
      return "problem" in read ? { problem: words.fileProblems[read.problem](file.name) } : read;
    },
    words: { comes: words.fileComes, textTaken: words.textTaken },
    reading,
  });
  return { ...taken, reading };
}

/** The button that adds pictures and files. */
export const AddFiles = ({
  id,
  add,
  words,
}: {
  readonly id: string;
  add(files: readonly File[]): unknown;
  readonly words: TalkWords;
}): ReactNode => (
  <label className="askwire-file" htmlFor={id} title={words.addFiles}>
    <Icon name="plus" />
    <span className="askwire-unseen">{words.addFiles}</span>
    <input
      id={id}
      type="file"
      multiple
      onChange={({ target }) => {
        void add([...(target.files ?? [])]);
        target.value = "";
      }}
    />
  </label>
);

/** The pictures and files that go with the words, each with a button to take it away. */
export const AttachedList = ({
  attached,
  onAttach,
  words,
}: {
  readonly attached: readonly AttachedFiles[];
  onAttach(attached: readonly AttachedFiles[]): void;
  readonly words: TalkWords;
}): ReactNode =>
  attached.length > 0 && (
    <ul className="askwire-attached" aria-label={words.attached}>
      {attached.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
        <li key={index}>
          {one.part.type === "image_url" ? (
            <Picture part={one.part} name={visibleText(one.name)} />
          ) : (
            <>
              <Icon name="file" />
              <bdi dir="auto">{visibleText(one.name)}</bdi>
            </>
          )}
          <button
            type="button"
            className="askwire-plain"
            aria-label={visibleText(words.removeFile(one.name))}
            title={words.remove}
            onClick={() => onAttach(attached.filter((other) => other !== one))}
          >
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  );
