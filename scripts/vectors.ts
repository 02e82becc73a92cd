import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the vectors: cases as JSON, for programs in any language. */
export const vectorsFolder = fileURLToPath(
  new URL("../packages/conformance-tests/vectors/", import.meta.url),
);

/** A file of cases, as its README describes it. */
export interface VectorFile<Case> {
  readonly about: string;
  /** The sentences of docs/protocol.md that the cases follow from. */
  readonly rules: readonly string[];
  /** The day on which a frozen file was frozen. */
  readonly frozen?: string;
  readonly cases: readonly (Case & { readonly name: string })[];
}

/** Reads a file of vectors by its path in the folder. */
export const vectorFile = <Case, File = unknown>(path: string): VectorFile<Case> & File =>
  JSON.parse(readFileSync(vectorsFolder + path, "utf8"));

/** The cases of some files, in their order. */
export const vectors = <Case>(...paths: readonly string[]): VectorFile<Case>["cases"] =>
  paths.flatMap((path) => vectorFile<Case>(path).cases);

/** Names every file of vectors by its path in the folder. */
export const vectorPaths = (): string[] =>
  readdirSync(vectorsFolder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".json"))
    .sort();
