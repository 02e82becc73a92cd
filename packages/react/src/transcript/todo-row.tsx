import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { DisplayedBlock } from "../cards/display-block.js";
import { Icon } from "../looks/icon.js";
import { Folded } from "./folded.js";
import type { Todo } from "./shown-entries.js";

/** The most points that each have a bar of their own. */
const MOST_BARS = 12;

/** The agent's to-do list. One that another has followed since is a row, with the list folded. */
export function TodoRow({
  todo,
  isLast,
  words,
}: {
  readonly todo: Todo;
  /** True if no other list has followed. */
  readonly isLast: boolean;
  readonly words: TalkWords;
}): ReactNode {
  const done = todo.items.filter(({ status }) => status === "done").length;
  const list = () => <DisplayedBlock block={todo} words={words} />;
  if (!isLast) {
    const summary = (
      <>
        <Icon name="list" />
        <span className="askwire-verb">{words.todo}</span>
        <span className="askwire-result">{words.todoDone(done, todo.items.length)}</span>
      </>
    );
    return (
      <Folded className="askwire-fold" summary={summary}>
        {list}
      </Folded>
    );
  }
  return (
    <section className="askwire-todos" aria-label={words.todo}>
      <p className="askwire-todos-head">
        <Icon name="list" />
        <b>{words.todo}</b> <span>{words.todoDone(done, todo.items.length)}</span>
        {todo.items.length <= MOST_BARS && (
          <span className="askwire-bars" aria-hidden="true">
            {todo.items.map(({ status }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: points have no name, and never move
              <i key={index} data-status={status} />
            ))}
          </span>
        )}
      </p>
      {list()}
    </section>
  );
}
