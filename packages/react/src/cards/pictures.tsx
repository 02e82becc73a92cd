import type { CardWords } from "@askwire/client/words";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useMedia } from "../hooks/use-media.js";
import { Icon } from "../looks/icon.js";
import { Foreign } from "./foreign-text.js";
import { type Attachments, blobOf, sizeOf } from "./picture.js";
import type { TakenFiles } from "./use-files.js";

/** The pictures of an answer, each with a button to take it away, and the ways to add more. */
export function Pictures({
  id,
  attachments,
  onAttach,
  taken: { add, told },
  isWanted,
  words,
}: {
  readonly id: string;
  readonly attachments: Attachments;
  onAttach(attachments: Attachments): void;
  readonly taken: TakenFiles;
  /** True if the agent asks for a picture (P-XQS-4). */
  readonly isWanted: boolean;
  readonly words: CardWords;
}): ReactNode {
  const more = useRef<HTMLInputElement>(null);
  const isTouched = useMedia("(pointer: coarse)");
  const input = (name: string, label: string, capture?: "environment") => (
    <label className="askwire-file" htmlFor={`${id}${name}`}>
      <Icon name="picture" />
      {label}
      <input
        {...(capture === undefined && { ref: more })}
        id={`${id}${name}`}
        type="file"
        accept="image/*"
        multiple={capture === undefined}
        capture={capture}
        onChange={({ target }) => {
          void add([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </label>
  );
  return (
    <div className="askwire-pictures">
      {isWanted && attachments.length === 0 && <p className="askwire-hint">{words.wantsPicture}</p>}
      {attachments.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pictures have no name but their position
        <figure key={index}>
          <Picture part={part} name={words.picture(index + 1)} />
          <figcaption>
            {words.picture(index + 1)}, {Math.ceil(sizeOf(part) / 1_000)} kB
          </figcaption>
          <button
            type="button"
            aria-label={words.removePicture(index + 1)}
            onClick={() => {
              onAttach(attachments.filter((other) => other !== part));
              more.current?.focus();
            }}
          >
            {words.remove}
          </button>
        </figure>
      ))}
      {input("picture", words.addPicture)}
      {isTouched && input("photo", words.takePhoto, "environment")}
      <p role="status" className="askwire-hint">
        {told !== "" && <Foreign text={told} />}
      </p>
    </div>
  );
}

/** A picture in memory, for as long as it is shown. */
export function Picture({
  part,
  name,
}: {
  readonly part: Attachments[number];
  readonly name: string;
}): ReactNode {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blobOf(part));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [part]);
  return address === undefined ? null : <img src={address} alt={name} />;
}
