"use client";

import { useSyncExternalStore } from "react";
import type { Store } from "./store.js";

/** The value of a store. Renders again after each change. */
export const useStore = <T>({ current, subscribe }: Store<T>): T =>
  useSyncExternalStore(subscribe, current, current);
