import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const older = dirname(fileURLToPath(import.meta.resolve("acp-sdk-1")));

/** The command of an example agent of the SDK 1.9. */
export const olderExample = (name: string) => [process.execPath, join(older, "examples", name)];
