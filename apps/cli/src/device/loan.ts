/** The picture of a panel: coloured lines, narrower than the terminal and fewer than its rows. */
export interface Frame {
  readonly lines: readonly string[];
  /**
   * The position of the terminal's cursor, for input methods and screen magnifiers. Default: hidden below the last
   * line.
   */
  readonly caret?: { readonly row: number; readonly column: number };
  /** Set if a tall frame may have the terminal's second screen. Default: false. */
  readonly mayStandAlone?: boolean | undefined;
}

/** The events for the borrower of a terminal. */
export interface Borrower {
  /** Bytes from the keyboard, unchanged. */
  input(chunk: Buffer): void;
  /** Asks for a new frame: the terminal has another size, or a shell gave it back. */
  redraw(): void;
  /** The terminal is gone, and no key will come. */
  gone(): void;
}

/** The terminal in the hands of a panel: keys go to it, and its frame stands below everything else that is written. */
export interface Loan {
  /** The current width of the terminal. */
  readonly columns: number;
  readonly rows: number;
  /** Set for a terminal that can be asked for its status. Default: it is not asked. */
  readonly answers?: boolean;
  /** Draws a frame in place of the last one. */
  show(frame: Frame): void;
  /** Writes bytes that are no text: a bell, a title, a notification. The frame stays in place. */
  signal(sequence: string): void;
  /** Takes the frame away and lets another program have the terminal until it has ended. */
  away<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /**
   * Takes the frame away and gives the keys back. Text typed at the prompt before is there again.
   *
   * @param unread text that came with the last key and belongs to the prompt.
   */
  end(unread?: string): void;
}
