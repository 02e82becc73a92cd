export { card, connection, markdown, page, talk } from "./en.js";
