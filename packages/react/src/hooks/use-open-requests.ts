import { useSyncExternalStore } from "react";
import type { OpenRequest, OpenRequests } from "./open-requests.js";

/** The requests that wait for the person, in the order in which they came. Renders again after each change. */
export const useOpenRequests = (requests: OpenRequests): readonly OpenRequest[] =>
  useSyncExternalStore(requests.subscribe, requests.current, requests.current);
