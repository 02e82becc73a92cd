import type { ApprovalKind } from "@askwire/protocol";

/** An act of the person at a client. Acts about a request name it by the `id` of its payload. */
export type Act =
  | { readonly do: "prompt"; readonly text: string }
  | ({ readonly do: "answer"; readonly request_id: string } & ActChoice)
  | { readonly do: "decline" | "discuss"; readonly request_id: string }
  | { readonly do: "approve"; readonly request_id: string; readonly response: Approving }
  | { readonly do: "reject"; readonly request_id: string; readonly feedback?: string }
  | { readonly do: "steer"; readonly text: string }
  | { readonly do: "cancel" | "replay" | "disconnect" | "connect" | "end" };

type Approving = Exclude<ApprovalKind, "reject">;

/** The contents of an answer to questions. */
export interface ActChoice {
  /** The labels to choose, for each question in turn. An empty list leaves a question out. */
  readonly choose: readonly (readonly string[])[];
  /** The person's own words, for the first question. */
  readonly own_text?: string;
}

/** The acts that a client need not offer. A check that needs them is skipped for a client without. */
export const mayBeMissing: ReadonlySet<Act["do"]> = new Set([
  "discuss",
  "steer",
  "cancel",
  "replay",
  "disconnect",
  "connect",
]);

/** The text by which a person finds a request: its questions, or what is to be approved. */
export type ShownTexts = readonly string[];

/** An act as a sentence for the person at the client. */
export function actInWords(act: Act, shown: ShownTexts = []): string {
  const all = shown.map(quoted).join(" and ") || "what is asked";
  switch (act.do) {
    case "prompt":
      return `Send the prompt ${quoted(act.text)}.`;
    case "answer":
      return `Answer: ${shown.map((text, at) => `${quoted(text)}: ${choiceInWords(act, at)}`).join("; ")}.`;
    case "decline":
      return `Close ${all} without an answer.`;
    case "discuss":
      return `Say that you would rather discuss ${all}.`;
    case "approve":
      return `Approve ${all}, ${act.response === "approve" ? "this once" : "for the whole session"}.`;
    case "reject":
      return `Reject ${all}${act.feedback === undefined ? "" : `, and say why: ${quoted(act.feedback)}`}.`;
    case "steer":
      return `While the agent works, tell it ${quoted(act.text)}.`;
    case "cancel":
      return "Cancel the turn.";
    case "replay":
      return "Have the session replayed.";
    case "disconnect":
      return "Disconnect from the server, and stay away.";
    case "connect":
      return "Connect to the server again, to the same session.";
    case "end":
      return "Close the client.";
  }
}

function choiceInWords({ choose, own_text }: ActChoice, at: number): string {
  const labels = (choose[at] ?? []).map(quoted);
  const parts = [
    ...(labels.length === 0 ? [] : [`choose ${labels.join(" and ")}`]),
    ...(at === 0 && own_text !== undefined ? [`type ${quoted(own_text)}`] : []),
  ];
  return parts.length === 0 ? "leave it out" : parts.join(", ");
}

const quoted = (text: string) => `“${text}”`;
