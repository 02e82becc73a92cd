import { visibleLine } from "@askwire/client/text";

/** A foreign text as the label of a row: one line, in which nothing becomes an icon. */
export const plainLabel = (text: string): string => visibleLine(text).replace(/\$\(/g, "$ (");

/** A foreign text within a message: one line, in which nothing becomes a link. */
export const plainMessage = (text: string): string => visibleLine(text).replace(/\]\(/g, "] (");
