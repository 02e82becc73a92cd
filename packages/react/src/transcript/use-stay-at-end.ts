import { type RefObject, useEffect, useRef, useState } from "react";

/** The pixels from the end at which a reader is still there. */
const NEAR = 24;

/** Keeps a scroller at its end while the reader is there, whatever its content becomes. */
export function useStayAtEnd(): {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  toEnd(): void;
} {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stays = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const toEnd = () => {
    stays.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: "instant" });
  };

  useEffect(() => {
    const box = scroller.current;
    if (box === null || content.current === null) return;
    let top = box.scrollTop;
    const look = () => {
      const left = box.scrollHeight - box.clientHeight - box.scrollTop;
      // Content that grows moves the end away, but only a reader moves up.
      if (left <= NEAR) stays.current = true;
      else if (box.scrollTop < top) stays.current = false;
      top = box.scrollTop;
      setAtEnd(stays.current);
    };
    const follow = () => {
      if (stays.current) box.scrollTop = box.scrollHeight;
      look();
    };
    // A part that is opened stays in sight.
    const onClick = ({ target }: Event) => {
      if (target instanceof Element && target.closest("summary") !== null) stays.current = false;
    };
    const sizes = new ResizeObserver(follow);
    sizes.observe(content.current);
    sizes.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    box.addEventListener("click", onClick);
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", look);
      box.removeEventListener("click", onClick);
    };
  }, []);

  return { scroller, content, isAtEnd, toEnd };
}
