import { existsSync } from "node:fs";
import { type ShippedFiles, shippedFiles } from "../installed/shipped-files.js";

/** The built page of the command; undefined where it is not built. */
export function builtPage(): ShippedFiles | undefined {
  const page = shippedFiles("web");
  return typeof page !== "string" || existsSync(page) ? page : undefined;
}
