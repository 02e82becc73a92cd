import * as z from "zod/mini";
import { compilingValidator } from "../validation.js";

/** The validator for Node, which compiles frequent schemas. Browsers forbid that. */
export const validateCompiled = compilingValidator((schema) => z.compile(schema));
