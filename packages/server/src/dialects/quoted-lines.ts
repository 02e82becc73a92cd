/** Follows a text, and knows where in it are fences of tildes, and lines that begin with `>`. */
export interface QuotedLines {
  /** The text went on by this character. */
  pass(c: string): void;
  /** A fence of another kind begins: until it ends, nothing is passed. */
  rest(): void;
  readonly inside: boolean;
}

const TILDES = 3;

/** Of a text of which nothing came yet. */
export function quotedLines(): QuotedLines {
  /** The number of tildes that opened the fence; 0 outside a fence. */
  let fence = 0;
  /** The tildes at the beginning of the line; undefined after any other text. */
  let tildes: number | undefined = 0;
  let closes = false;
  let quotes = false;

  function endOfTildes(): void {
    if (tildes !== undefined && tildes >= TILDES) {
      if (fence === 0) fence = tildes;
      else if (tildes >= fence) closes = true;
    }
    tildes = undefined;
  }

  function endOfLine(): void {
    endOfTildes();
    if (closes) fence = 0;
    closes = false;
    quotes = false;
    tildes = 0;
  }

  function pass(c: string): void {
    if (c === "\n") endOfLine();
    else if (tildes !== undefined && c === "~") tildes += 1;
    else if (tildes === undefined) closes &&= isBlank(c);
    else if (tildes > 0 || !isBlank(c)) {
      quotes = fence === 0 && tildes === 0 && c === ">";
      endOfTildes();
      closes &&= isBlank(c);
    }
  }

  return {
    pass,
    rest() {
      tildes = 0;
      closes = false;
      quotes = false;
    },
    get inside() {
      return quotes || fence > 0;
    },
  };
}

const isBlank = (c: string) => c === " " || c === "\t" || c === "\r";
