// The public face @askwire/client/text: foreign text that a person may see, the subject of a tool call, words on
// answers and line ends, where a change begins and ends, and a text while it is typed into a text area.
export {
  type EqualEnds,
  equalEnds,
  errorText,
  keptText,
  says,
  typedText,
  withEditShown,
  withLineFeeds,
} from "@askwire/protocol/internal";
export type { FieldWords, ValueWords } from "../words/en.js";
export { fieldWords, lineEndWords, lostWords, ruleWords, valueWords } from "../words/tables.js";
export { callSubject } from "./call-subject.js";
export { exactText, visibleLine, visibleText, withoutMiddle } from "./visible-text.js";
