import { type ApprovalView, type QuestionView, requestKey } from "@askwire/client";
import { useMemo } from "react";

/** The name of a request and what it asks. It costs a walk through all that is shown, so it is kept with the request. */
export const useRequestName = (request: QuestionView | ApprovalView): string =>
  useMemo(() => requestKey(request), [request]);
