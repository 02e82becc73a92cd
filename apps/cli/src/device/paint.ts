const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Colours a text, or leaves it as it is. */
export type Paint = (style: keyof typeof codes, text: string) => string;

/** Colours for an output: none where it is no terminal or `NO_COLOR` is set. */
export function paintFor(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const coloured = output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return (style, text) => {
    if (!coloured) return text;
    const [on, off] = codes[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** Columns of an output on which a line can be drawn again; undefined where it is none. */
export function columnsOf(
  { isTTY, columns }: { isTTY?: boolean; columns?: number },
  env: NodeJS.ProcessEnv,
): number | undefined {
  return isTTY === true && env.TERM !== "dumb" ? columns : undefined;
}
