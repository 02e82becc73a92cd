// Copies the pages about the wire into packages/protocol/docs, which its archive carries and git ignores.
import { mkdir, readFile, writeFile } from "node:fs/promises";

const pages = new URL("../docs/", import.meta.url);
const target = new URL("../packages/protocol/docs/", import.meta.url);

await mkdir(target, { recursive: true });
for (const name of ["protocol.md", "messages.md"]) {
  const page = await readFile(new URL(name, pages), "utf8");
  await writeFile(new URL(name, target), page.replaceAll("](../packages/protocol/schema/", "](../schema/"));
}
