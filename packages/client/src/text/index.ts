// The public face @askwire/client/text: foreign text that a person may see, the subject of a tool call, words on answers, and where a
// change begins and ends.
export { callSubject } from "./call-subject.js";
export { type EqualEnds, equalEnds } from "./changed-lines.js";
export { type FieldWords, fieldWords } from "./field-words.js";
export { lostWords } from "./lost-words.js";
export { type ValueWords, valueWords } from "./value-words.js";
export { visibleLine, visibleText } from "./visible-text.js";
