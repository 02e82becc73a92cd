import * as z from "zod/mini";
import { compilingValidator } from "../validation.js";

/** The validator for Node: what is used often is compiled, which browsers forbid. */
export const validateCompiled = compilingValidator((schema) => z.compile(schema));
