// Names that only our own packages share with the dialects. Nothing is promised about them.
export { PARAM_QUERY } from "./adp/catalogue.js";
export { openString } from "./adp/open-string.js";
export { resultInText } from "./adp/result-text.js";
export { isQuery } from "./adp/tags.js";
export { TextScanner } from "./adp/text-scanner.js";
export { TOOL_NAME as KILO_TOOL } from "./kilo/call-element.js";
export { kiloResultInText } from "./kilo/kilo.js";
export { isRedcFailure } from "./redc/redc.js";
