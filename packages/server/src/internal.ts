// Names that only our own packages share with the server. Nothing is promised about them.
export { brief } from "./agent/tool-result.js";
export { PARAM_QUERY } from "./dialects/adp/catalogue.js";
export { nameKey, nearest } from "./dialects/adp/names.js";
export { openString } from "./dialects/adp/open-string.js";
export { resultInText } from "./dialects/adp/result-text.js";
export { isQuery } from "./dialects/adp/tags.js";
export { textScanner } from "./dialects/adp/text-scanner.js";
export type { JournalRecord } from "./journal/entries.js";
export { readLines } from "./journal/lines.js";
export { JOURNAL_FILE } from "./journal/places.js";
export { type JournalReading, readJournal, type SkippedLine } from "./journal/read-journal.js";
export { displayMarkdown } from "./requests/display-markdown.js";
export { boundedTime } from "./runtime/bounded-time.js";
export { oneLine } from "./runtime/one-line.js";
export { pathProblem, readInside, resolveInside } from "./work-folder/inside.js";
export { planWrites, type RenderedFile } from "./work-folder/write.js";
