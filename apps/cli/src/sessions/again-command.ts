import { shellWord } from "../input/shell-word.js";

/** Options of a session that the command to go on with it does not repeat, and whether they have a value. */
const left = new Map([
  ["--prompt", true],
  ["--session", true],
  ["--continue", false],
]);

/** The command that goes on with a session, for a shell: the words of the one that began it, with its id. */
export function againCommand(words: readonly string[], id: string): string {
  const end = words.indexOf("--");
  const own = words.slice(0, end === -1 ? words.length : end);
  const program = end === -1 ? [] : words.slice(end);
  const kept = own.filter((word, at) => {
    const isValue = left.get(own[at - 1] ?? "") === true;
    return !isValue && !left.has(word) && ![...left.keys()].some((name) => word.startsWith(`${name}=`));
  });
  return ["askwire", ...kept, "--session", id, ...program].map((word) => shellWord(word)).join(" ");
}
