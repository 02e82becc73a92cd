"use client";

import { card as english } from "@askwire/client/words/en";
import type { DisplayBlock } from "@askwire/protocol";
import { type HTMLAttributes, type RefObject, useEffect, useId, useMemo, useRef, useState } from "react";
import { shownWays, type Way } from "./approval-ways.js";
import { useBegin } from "./card.js";
import type { ApprovalCardProps } from "./card-props.js";
import { shownParts } from "./edited-blocks.js";
import { useApproval } from "./use-approval.js";
import { OPENS_STEP, usePressGuard } from "./use-press-guard.js";
import { useRequestName } from "./use-request-name.js";
import { END_MARK, restInWords, useUnseenParts } from "./use-unseen-parts.js";

/** The props of a button. */
interface ButtonProps {
  readonly type: "button";
  readonly disabled: boolean;
  onClick(): void;
}

/** The props of a text area. */
interface TextProps {
  readonly id: string;
  readonly value: string;
  readonly disabled: boolean;
  onChange(event: { readonly target: { readonly value: string } }): void;
}

/** A way to answer, as own markup draws it: how far it goes, and the props of its radio button. */
export interface ApprovalWay extends Pick<Way, "label" | "covers" | "lasts"> {
  readonly radio: {
    readonly type: "radio";
    readonly id: string;
    readonly name: string;
    readonly checked: boolean;
    readonly disabled: boolean;
    onChange(): void;
  };
}

/** An approval as own markup draws it: what is shown, and the props of its elements. */
export interface ApprovalForm {
  /** All that is approved, with the text as the person has changed it. Draw each, with `end` behind it. */
  readonly blocks: readonly DisplayBlock[];
  /** The props of an empty element behind each block: while one was never in sight, a press shows it and allows nothing. */
  readonly end: { readonly [END_MARK]: string };
  /** The ways to allow it, the narrowest first and chosen; and to reject it. A single one needs no radio button. */
  readonly allows: readonly ApprovalWay[];
  readonly rejects: readonly ApprovalWay[];
  /** The reason why the last press did nothing, or why the server refused the answer. Empty without a reason. */
  readonly hint: string;
  /** True once nothing more can be answered: the answer is on its way, or the request is settled. */
  readonly isClosed: boolean;
  /** True while the step that rejects is open: only then there is `reject`. */
  readonly isRejecting: boolean;
  /** The props of the element around all controls: the guard against presses that were meant elsewhere. */
  readonly box: HTMLAttributes<HTMLElement> & { readonly ref: RefObject<never> };
  /** The props of the button that allows as far as chosen. Undefined in the step that rejects, and where none allows. */
  readonly approve: ButtonProps | undefined;
  /** The props of the button that opens the step that rejects, or goes back from it. It decides nothing. */
  readonly step: ButtonProps;
  /** The props of the words that go with an approval. Undefined in the step that rejects, and where none allows. */
  readonly note: TextProps | undefined;
  /** The props of the words why not, and of the button that rejects with them. Undefined outside that step. */
  readonly why: TextProps | undefined;
  readonly reject: ButtonProps | undefined;
  /** The props of the text that the person may change before they approve it. Undefined where there is none. */
  readonly text: TextProps | undefined;
}

/**
 * The state of an approval for own markup, with everything that `ApprovalCard` does but draw: how far it goes, the step
 * that rejects, a text to be changed, refusals, kept work, what was out of sight, and presses that were meant for
 * something else. The component that calls it has `key={one.id}`, so that other words under the same id begin anew.
 *
 * @param props those of an `ApprovalCard`, as `openRequests` gives them.
 * @throws Error in an effect, where an element with the props of `box` or of `end` is missing.
 */
export function useApprovalForm(props: ApprovalCardProps): ApprovalForm {
  const { request, words = english } = props;
  const id = useId();
  const box = useRef<HTMLElement>(null);
  const approval = useApproval({ ...props, isAnswered: false });
  const { work, isClosed, isRejecting, reasons, takes, answer, keep } = approval;
  const presses = usePressGuard(box, isRejecting ? 1 : 0);
  const unseen = useUnseenParts(box, "display");
  const [left, setLeft] = useState<number>();
  const { begin } = useBegin(props.onBegin);
  const name = useRequestName(request);
  const text = work.edit?.text;
  const parts = useMemo(() => shownParts(request, text), [request, text]);
  const blocks = [...parts.before, ...parts.edit, ...parts.after];
  useEnds(box, blocks.length);
  const ways = shownWays(request, words);
  const allow = useChosen(ways.allow, { id, isClosed });
  const rejects = useChosen(ways.rejects, { id, isClosed });

  function press(way: Way): void {
    if (!takes(way)) return;
    const rest = way.kind === "allow" ? unseen.showRest() : undefined;
    setLeft(rest);
    if (rest === undefined) answer(way);
    else presses.begin();
  }
  const button = (onClick: () => void): ButtonProps => ({ type: "button", disabled: isClosed, onClick });
  const pressing = (way: Way | undefined) => (way === undefined ? undefined : button(() => press(way)));
  const [refused = ""] = reasons;

  return {
    blocks,
    end: { [END_MARK]: "" },
    allows: allow.ways,
    rejects: rejects.ways,
    hint: presses.isTold ? words.pressedEarly : restInWords(left, words) || refused,
    ...{ isClosed, isRejecting },
    box: {
      ...presses.listeners,
      ref: box as RefObject<never>,
      ...{ "data-askwire-request": name, "data-askwire-page": "" },
      ...(unseen.isWhole && { "data-askwire-whole": "" }),
      ...(presses.isEarly && { "aria-disabled": true }),
      onPointerDown: () => void (presses.isEarly || begin()),
      onKeyDown: begin,
    },
    approve: isRejecting ? undefined : pressing(allow.chosen),
    step: { ...button(() => approval.showReject(!isRejecting)), ...{ [OPENS_STEP]: "" } },
    note:
      isRejecting || allow.chosen === undefined
        ? undefined
        : {
            ...{ id: `${id}n`, value: work.note ?? "", disabled: isClosed },
            onChange: ({ target }) => keep({ note: target.value }),
          },
    why: isRejecting
      ? {
          id: `${id}w`,
          value: work.why,
          disabled: isClosed,
          onChange: ({ target }) => keep({ why: target.value }),
        }
      : undefined,
    reject: isRejecting ? pressing(rejects.chosen) : undefined,
    text:
      request.edit === undefined
        ? undefined
        : {
            ...{ id: `${id}t`, value: text ?? request.edit.content, disabled: isClosed },
            onChange: ({ target }) => keep({ edit: { of: request.edit?.content ?? "", text: target.value } }),
          },
  };
}

/** Throws where a block has no end, by which it is known what was in sight. */
function useEnds(box: RefObject<HTMLElement | null>, blocks: number): void {
  useEffect(() => {
    const ends = box.current?.querySelectorAll(`[${END_MARK}]`).length ?? 0;
    if (ends >= blocks) return;
    throw new Error(
      `useApprovalForm: expected the props of box around all, and an element with those of end behind each of ${blocks} blocks, found ${ends}`,
    );
  }, [box, blocks]);
}

/** The ways of one kind, and the one that is chosen: at first the narrowest. */
function useChosen(
  ways: readonly Way[],
  { id, isClosed }: { readonly id: string; readonly isClosed: boolean },
): { readonly ways: readonly ApprovalWay[]; readonly chosen: Way | undefined } {
  const [chosenId, setChosen] = useState(ways[0]?.id);
  const chosen = ways.find((way) => way.id === chosenId) ?? ways[0];
  return {
    chosen,
    ways: ways.map((way) => ({
      ...{ label: way.label, covers: way.covers, lasts: way.lasts },
      radio: {
        ...{ type: "radio", id: `${id}${way.id}`, name: `${id}${way.kind}` },
        ...{ checked: way === chosen, disabled: isClosed },
        onChange: () => setChosen(way.id),
      },
    })),
  };
}
