// Copies pages into the packages whose archives carry them, in folders that git ignores. A link leads to what the
// package has; another one becomes its text.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";

const root = new URL("../", import.meta.url);

/** The pages of docs/ that a package carries. */
const pagesOf = {
  protocol: ["protocol.md", "messages.md"],
  "conformance-tests": ["protocol.md", "messages.md", "conformance.md", "test-your-client.md"],
};

for (const [name, pages] of Object.entries(pagesOf)) {
  const home = new URL(`packages/${name}/`, root);
  const target = new URL("docs/", home);
  await mkdir(target, { recursive: true });
  for (const page of pages) {
    const text = await readFile(new URL(`docs/${page}`, root), "utf8");
    await writeFile(new URL(page, target), withLinksInside(text, pages, home));
  }
}

/** The text with links to pages beside it, to files of the package, and to addresses; others are text. */
function withLinksInside(text, pages, home) {
  const links = /(?<!!)\[([^\][]*)\]\((?![a-z]+:|#)([^)#\s]*)(#[^)\s]*)?\)/g;
  return text.replace(links, (link, words, path, anchor = "") => {
    if (pages.includes(path)) return link;
    const inside = path.replace(/^\.\.\/packages\/[^/]+\//, "");
    if (path.startsWith("../") && existsSync(new URL(inside, home)))
      return `[${words}](../${inside}${anchor})`;
    return words === basename(path) ? `docs/${words}` : words;
  });
}
