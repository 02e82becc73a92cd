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
export { callSubject } from "./call-subject.js";
export { type FieldWords, fieldWords } from "./field-words.js";
export { lineEndWords } from "./line-end-words.js";
export { lostWords } from "./lost-words.js";
export { ruleWords } from "./rule-words.js";
export { type ValueWords, valueWords } from "./value-words.js";
export { exactText, visibleLine, visibleText, withoutMiddle } from "./visible-text.js";
