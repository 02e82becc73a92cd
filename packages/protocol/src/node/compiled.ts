import { compilingValidator } from "../validation.js";

/** The validator for Node, which compiles frequent schemas. Browsers forbid that. */
export const validateCompiled = compilingValidator(() =>
  import("./compile.js").then(({ compile }) => compile),
);
