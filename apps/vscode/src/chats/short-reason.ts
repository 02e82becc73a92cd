/** The most characters of a reason that a person is shown. The log has all. */
const LENGTH = 300;

/**
 * The one line that says why an agent ended, out of its last words: the line of an error, as the stacks of most
 * languages have it, else the first line. The name of the command that carries the agent says nothing and is left out.
 */
export function shortReason(why: string): string {
  const lines = why.replace(/^"[^"\n]*" ended with [^:\n]*: (askwire: )?/, "").split("\n");
  const error = lines.find((line) => /^(Uncaught )?[\w.]*(Error|Exception)\b[^:]{0,40}: /.test(line));
  const line = error ?? lines.find((one) => one.trim() !== "") ?? "";
  return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line.trim();
}
