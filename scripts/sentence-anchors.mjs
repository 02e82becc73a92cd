// Gives each numbered sentence of docs/protocol.md the anchor of its number, so that docs/protocol.md#P-FRM-1 is a link.
import { readFile, writeFile } from "node:fs/promises";

const page = new URL("../docs/protocol.md", import.meta.url);
const kept = await readFile(page, "utf8");
const anchored = kept.replaceAll(
  /^- (?:<a id="[^"]*"><\/a>)?\*\*(P-[A-Z]+-\d+)\*\*/gm,
  '- <a id="$1"></a>**$1**',
);
if (anchored !== kept) await writeFile(page, anchored);
