// The public face @askwire/client/text: foreign text that a person may see, and words on the answers of a question.
export { type FieldWords, fieldWords } from "./field-words.js";
export { visibleLine, visibleText } from "./visible-text.js";
