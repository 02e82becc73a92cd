// The public face @askwire/client/text: foreign text that a person may see, the subject of a tool call, files of bytes, a
// file below its name, the choices of an answer, words on answers and line ends, where a change begins and ends, and a text
// while it is typed into a text area.
// It takes whole files: a bundler that splits a program then loads the words of all languages only where they are used.
export * from "./answer-parts.js";
export * from "./binary-text.js";
export * from "./call-subject.js";
export * from "./fenced-text.js";
export * from "./protocol-texts.js";
export * from "./shared-words.js";
export * from "./stack-place.js";
export * from "./visible-text.js";
