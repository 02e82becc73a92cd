// A separate file, since the compiler of schemas is a third of all that a start would load, and few starts need it.
export { compile } from "zod/mini";
