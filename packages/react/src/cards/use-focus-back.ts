import { type RefObject, useEffect, useRef } from "react";

/**
 * Focuses an element that takes the place of the one that was pressed, which would lose the focus to nobody. Nothing is
 * focused by the first rendering.
 *
 * @param isThere true while the element is on the page.
 */
export function useFocusBack<E extends HTMLElement>(isThere: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  const wasThere = useRef(isThere);
  useEffect(() => {
    if (isThere && !wasThere.current) element.current?.focus();
    wasThere.current = isThere;
  }, [isThere]);
  return element;
}
