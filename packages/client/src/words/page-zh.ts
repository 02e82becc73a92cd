export { card, connection, markdown, page, talk } from "./zh.js";
