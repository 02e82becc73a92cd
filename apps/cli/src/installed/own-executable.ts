/** The part of `node:sea` that the command uses. */
export type OwnExecutable = Pick<typeof import("node:sea"), "getAsset">;

/** The single executable that this process runs; undefined where Node runs the bundle. */
export function ownExecutable(): OwnExecutable | undefined {
  // A Node older than 20.16 has no such lookup, and scripts/executable.mjs takes none that old.
  const sea = process.getBuiltinModule?.("node:sea");
  return sea?.isSea() === true ? sea : undefined;
}
