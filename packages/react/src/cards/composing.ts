import type { KeyboardEvent } from "react";

/** The code that Safari gives to the Enter which ends a composition. */
const PROCESSED = 229;

/** True for a key that an input method takes. Such a key answers nothing. */
export const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || keyCode === PROCESSED;

/** True where typed characters become text. */
export const takesText = (target: EventTarget): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox");
