import { codeColours } from "@askwire/react/code";

/** The colours of code, in a file that is loaded where there is some. */
export default codeColours;
