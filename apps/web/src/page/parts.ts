import type {
  CardWords,
  ConnectionWords,
  Language,
  MarkdownWords,
  PageWords,
  TalkWords,
} from "@askwire/client/words";
import type { Store } from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import type { Signals } from "../attention/use-attention.js";
import type { Box } from "../kept/box.js";
import type { KeptSettings } from "../kept/settings.js";
import type { Visits } from "../visits/visits.js";

/** The parts that the page is made of. */
export interface PageParts {
  readonly places: Visits;
  readonly settings: KeptSettings;
  /** The words of all parts, in the language of the settings or of the browser. */
  readonly texts: Store<AllWords>;
  readonly signals: Signals;
  /** Finds the colours of code. */
  readonly highlight: Highlight;
  /** Texts that outlive the tab. */
  readonly device: Box;
  /** The text that is typed at the entrance, for as long as the page is there. */
  readonly typed: Store<string> & { set(text: string): void };
}

/** The words of the page and of its parts, in one language. */
export interface AllWords {
  readonly page: PageWords;
  readonly cards: CardWords;
  readonly talk: TalkWords;
  readonly connection: ConnectionWords;
  readonly markdown: MarkdownWords;
  readonly language: Language;
}
