/** Lines that are written at once; a reader that is slow is waited for. */
const LINES_AT_ONCE = 500;

/** Prints lines on standard output, with no more of them in memory than are written at once. */
export async function printLines(lines: Iterable<string> | AsyncIterable<string>): Promise<void> {
  let text = "";
  let count = 0;
  const write = async () => {
    // Without a listener for errors: a reader that is gone ends the command.
    if (!process.stdout.write(text))
      await new Promise<void>((drained) => process.stdout.once("drain", drained));
    text = "";
  };
  for await (const line of lines) {
    text += `${line}\n`;
    count += 1;
    if (count % LINES_AT_ONCE === 0) await write();
  }
  if (text !== "") await write();
}
