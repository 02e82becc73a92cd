import type { FormResult, FormState } from "@askwire/client/form";
import type { Due } from "./deadline.js";
import type { PanelRequest } from "./request.js";

/** A request that is shown to the person. */
export interface PanelEntry {
  readonly kind: PanelRequest["kind"];
  /** Another one once the person has changed its text. */
  request: PanelRequest;
  /** The form as the person left it while another is shown, with the position in the full text. */
  form: FormState;
  top: number;
  due: Due | undefined;
  /** The names of other people who have begun to answer. */
  others: readonly string[];
  /** Those who have approved, where several people must; empty else. */
  approvals: string;
  /** The calls of the asking program that wait for the answer. */
  calls: number;
  /** Set once the person has seen any of the request. */
  isSeen: boolean;
  /** Settles the request, and takes it off the stage. */
  done(result: FormResult): void;
  /** Settles the request by a question in lines. Never throws. */
  byLines(): Promise<void>;
  /** Gives the request up: nobody is asked now. */
  giveUp(): void;
}
