import { useEffect, useLayoutEffect } from "react";

/** An effect before the browser paints. A server has none, and React 18 would warn there of `useLayoutEffect`. */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;
