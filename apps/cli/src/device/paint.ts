const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

/** Colours a text, or returns it unchanged. */
export type Paint = (style: keyof typeof codes, text: string) => string;

/** Makes the colours of an output. An output that is no terminal, or `NO_COLOR`, has none. */
export function paintFor(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const coloured = output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return (style, text) => {
    if (!coloured) return text;
    const [on, off] = codes[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** The columns of an output on which a line can be drawn again. Undefined for other outputs. */
export function columnsOf(
  { isTTY, columns }: { isTTY?: boolean; columns?: number },
  env: NodeJS.ProcessEnv,
): number | undefined {
  return isTTY === true && env.TERM !== "dumb" ? columns : undefined;
}
