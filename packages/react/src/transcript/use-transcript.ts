import { useSyncExternalStore } from "react";
import type { Conversation } from "./conversation.js";
import type { TranscriptStore } from "./store.js";

/** The conversation as it is now. Renders again after changes, at most once a frame. */
export const useTranscript = (store: TranscriptStore): Conversation =>
  useSyncExternalStore(store.subscribe, store.current, store.current);
