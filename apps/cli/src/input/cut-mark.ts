/** The line that stands in the place of missing text. */
export const cutMark = (characters: number, lineEnds: number): string =>
  `[cut: ${characters} characters, ${lineEnds} line ends]`;

const MARK = /^\[cut: \d+ characters, (\d+) line ends\]$/;

/** The line ends that a line says are missing in its place. Undefined for any other line. */
export function missingEnds(line: string): number | undefined {
  const found = MARK.exec(line)?.[1];
  return found === undefined ? undefined : Number(found);
}
