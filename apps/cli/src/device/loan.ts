/** What a panel draws: lines no wider than the terminal and fewer than its rows, with their colours. */
export interface Frame {
  readonly lines: readonly string[];
  /** Where the terminal's cursor is put, for input methods and screen magnifiers. Default: hidden below the last line. */
  readonly caret?: { readonly row: number; readonly column: number };
}

/** What the borrower of a terminal is told. */
export interface Borrower {
  /** Bytes that were typed, as they came. */
  input(chunk: Buffer): void;
  /** The terminal has another size, or was given back by a shell: the frame is to be drawn again. */
  redraw(): void;
  /** The terminal is gone: nobody will type any more. */
  gone(): void;
}

/** The terminal in the hands of a panel: keys go to it, and its frame stands below everything else that is written. */
export interface Loan {
  /** Of the terminal as it is now. */
  readonly columns: number;
  readonly rows: number;
  /** Draws a frame in the place of the one before. */
  show(frame: Frame): void;
  /** Bytes that are no text: a bell, a title, a notification. They leave the frame where it is. */
  signal(sequence: string): void;
  /**
   * Takes the frame away and gives the keys back; what was typed at the prompt before is there again.
   *
   * @param unread text that came with the last key and belongs to the prompt.
   */
  end(unread?: string): void;
}
