import { type RefObject, useEffect, useRef } from "react";

/**
 * A field that the key `/` focuses, from wherever no text is typed.
 *
 * @param isOn false leaves the key alone.
 */
export function useSearchKey(isOn: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "/" || ctrlKey || metaKey || altKey || event.defaultPrevented || takesText(target)) return;
      // A list that is not shown, such as in a closed dialog, takes no key.
      if (field.current === null || field.current.getClientRects().length === 0) return;
      event.preventDefault();
      field.current.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn]);
  return field;
}

const takesText = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])"));
