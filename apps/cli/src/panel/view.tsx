import { PassThrough } from "node:stream";
import { render } from "ink";
import { loadYoga } from "yoga-layout/load";
import type { Paint } from "../terminal/paint.js";
import type { PanelWords } from "../words/panel-words.js";
import type { Drawn, PanelContent, PanelSize, PanelView } from "./content.js";
import { Frame } from "./frame.js";
import { type Page, panelPage } from "./page.js";
import { keptReading } from "./reading.js";

/**
 * Makes what draws panels. Ink gets no terminal but a stand-in, which keeps what it writes: all of a frame as one text,
 * before `render` and `rerender` return.
 */
export async function openPanelView({
  words,
  paint,
}: {
  words: PanelWords;
  paint: Paint;
}): Promise<PanelView> {
  await loadYoga();
  const reading = keptReading();
  const output = standIn();
  // Nothing yet: what Ink and React take to start is not to wait for the first question.
  const ink = render(<Frame page={nothing} />, inkOptions(output));

  return {
    draw(content: PanelContent, size: PanelSize): Drawn {
      const page = panelPage(content, size, { words, paint, reading });
      const { parts, caret, lastTop } = page;
      output.columns = size.columns;
      ink.rerender(<Frame page={page} />);
      const lines = parts.length === 0 ? [] : output.frame.split("\n");
      return caret === undefined ? { lines, lastTop } : { lines, caret, lastTop };
    },
    close: () => ink.unmount(),
  };
}

const nothing: Page = { parts: [], lastTop: 0 };

/** What Ink uses of a terminal to write to, keeping the last text. */
interface StandIn {
  columns: number;
  frame: string;
  write(text: string): boolean;
  on(): void;
  off(): void;
}

function standIn(): StandIn {
  const output: StandIn = {
    columns: 80,
    frame: "",
    write(text) {
      output.frame = text;
      return true;
    },
    on() {},
    off() {},
  };
  return output;
}

/** Every frame is written at once and whole; keys and signals are not Ink's. */
const inkOptions = (output: StandIn) => ({
  stdout: output as unknown as NodeJS.WriteStream,
  stderr: new PassThrough() as unknown as NodeJS.WriteStream,
  stdin: new PassThrough() as unknown as NodeJS.ReadStream,
  debug: true,
  exitOnCtrlC: false,
  patchConsole: false,
  isScreenReaderEnabled: false,
});
