export type { FieldWords, ValueWords } from "../words/en.js";
export { fieldWords, lineEndWords, lostWords, ruleWords, valueWords } from "../words/tables.js";
