/** A change of Claude's permissions, which it suggests with a call and takes with the decision. */
export interface ClaudePermissionUpdate {
  /** `addRules`, `replaceRules`, `removeRules`, `setMode`, `addDirectories`, `removeDirectories`, or a later one. */
  readonly type: string;
  readonly rules?: readonly { readonly toolName: string; readonly ruleContent?: string | undefined }[];
  readonly behavior?: string;
  readonly mode?: string;
  readonly directories?: readonly string[];
  /** The settings that keep it: `session`, `localSettings`, `projectSettings`, `userSettings`, `cliArg`. */
  readonly destination?: string;
}

const places: Readonly<Record<string, string>> = {
  session: "in this session",
  localSettings: "in this project, for you",
  projectSettings: "in this project, for everybody",
  userSettings: "in all your projects",
};

/** The words for the changes that an approval brings, with where they are kept. */
export function wordsOfUpdates(updates: readonly ClaudePermissionUpdate[]): string {
  return updates.map((update) => `${changeOf(update)} ${placeOf(update)}`).join("; ");
}

const placeOf = ({ destination = "session" }: ClaudePermissionUpdate) =>
  places[destination] ?? `(${destination})`;

function changeOf(update: ClaudePermissionUpdate): string {
  const { type, rules = [], behavior = "allow", mode = "", directories = [] } = update;
  const named = rules.map(({ toolName, ruleContent }) => {
    if (ruleContent === undefined) return `every ${toolName}`;
    // The pattern of all files below the folder of the settings.
    return ruleContent === "/**" ? `${toolName} of every file` : `${toolName}(${ruleContent})`;
  });
  if (type === "addRules") return `${behavior} ${named.join(", ")}`;
  if (type === "setMode") return mode === "acceptEdits" ? "accept all edits" : `use the mode ${mode}`;
  if (type === "addDirectories") return `work in ${directories.join(", ")} too`;
  // A change without words of its own is shown as it is.
  return JSON.stringify(update);
}
