import { join } from "node:path";
import { shellWord } from "../input/shell-word.js";

/** The settings of Claude Code that a hook is for: of the person, of a project, or of the person in a project. */
export type HookScope = "user" | "project" | "local";

/** The hooks in a settings file: each event with the entry of its list. */
export interface HookFile {
  readonly file: string;
  readonly entries: readonly {
    readonly path: readonly [string, string];
    readonly listed: object;
    readonly isOurs: (entry: unknown) => boolean;
    readonly isMixed: (entry: unknown) => boolean;
  }[];
}

/** Seconds that Claude Code lets a hook run: a day. */
const A_DAY = 86_400;

/** The hooks that put what Claude Code asks to a person. */
export function hookFile(
  scope: HookScope,
  {
    home,
    cwd,
    configured,
  }: { readonly home: string; readonly cwd: string; readonly configured: string | undefined },
  words: readonly string[],
): HookFile {
  const files = {
    user: () => join(configured || join(home, ".claude"), "settings.json"),
    project: () => join(cwd, ".claude", "settings.json"),
    local: () => join(cwd, ".claude", "settings.local.json"),
  };
  const hooks = [
    { type: "command", command: words.map((word) => shellWord(word)).join(" "), timeout: A_DAY },
  ];
  return {
    file: files[scope](),
    entries: [
      { path: ["hooks", "PermissionRequest"], listed: { matcher: "*", hooks }, isOurs, isMixed },
      { path: ["hooks", "Elicitation"], listed: { hooks }, isOurs, isMixed },
    ],
  };
}

/** True for an entry that an installation of this command has written, of any version and place. */
const isOurs = (entry: unknown): boolean => hooksOf(entry).length === 1 && hooksOf(entry).some(runsUs);

/** True for an entry in which somebody has put this command beside other hooks. */
const isMixed = (entry: unknown): boolean => hooksOf(entry).length > 1 && hooksOf(entry).some(runsUs);

const runsUs = (hook: unknown): boolean =>
  /\baskwire(?:\.(?:c?js|exe))?["']? hook claude\b/.test(String(Object(hook).command));

function hooksOf(entry: unknown): readonly unknown[] {
  const { hooks } = Object(entry) as { readonly hooks?: unknown };
  return Array.isArray(hooks) ? hooks : [];
}
