import type { OpenRequest } from "@askwire/react/cards";
import { useEffect, useState } from "react";
import { later } from "./later.js";

/** An approval's card, which the first question does not need. */
export const LateApproval = later(() => import("./page-approval.js"));

/** The requests whose cards can be shown at once: approvals come as soon as their file has, or has failed to. */
export function useShowable(all: readonly OpenRequest[]): readonly OpenRequest[] {
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    void LateApproval.ahead().then(() => setThere(true));
  }, []);
  return isThere ? all : all.filter(({ kind }) => kind === "question");
}
