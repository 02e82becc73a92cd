/** A question as the tool takes it. */
export interface ScriptedQuestion {
  readonly question: string;
  readonly header?: string;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
  readonly multi_select?: boolean;
}

export const colour: ScriptedQuestion = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
};

export const size: ScriptedQuestion = {
  question: "Which sizes?",
  options: [{ label: "Small" }, { label: "Large" }],
  multi_select: true,
};

/** A script's line: the model calls a tool. */
export function calls(name: string, args: object, id = "tc-1"): string {
  return `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
}

/** A script's line: the model calls the question tool. */
export function askingLine(questions: readonly object[] = [colour], id = "tc-1"): string {
  return calls("AskUserQuestion", { questions }, id);
}

/** A script's line: the model writes a file in the work directory, for which the server's tool wants an approval. */
export function writes(path: string, id = "tc-1", content = "one\n"): string {
  return calls("WriteFile", { path, content }, id);
}
