const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  struck: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof codes;

/** Colours a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** Makes the colours of an output. An output that is no terminal, or `NO_COLOR`, has none. */
export function paintFor(output: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  const isColoured = hasColours(output, env);
  return (style, text) => {
    if (!isColoured) return text;
    const [on, off] = codes[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}

/** Reports if an output has colours, and links. */
export const hasColours = (output: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  output.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";

/** The columns of an output on which a line can be drawn again. Undefined for other outputs. */
export function columnsOf(
  { isTTY, columns }: { isTTY?: boolean; columns?: number },
  env: NodeJS.ProcessEnv,
): number | undefined {
  return isTTY === true && env.TERM !== "dumb" ? columns : undefined;
}
