import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shownText, touchedText } from "../../../../../scripts/touched-texts.js";
import { editText } from "../../../src/device/editor.js";
import { approvalView, enter, panelRoom } from "./room.js";

/** `LINE_ENDS_FILES` asks for more. */
const FILES = Number(process.env.LINE_ENDS_FILES ?? 8);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-ends-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A person whose editor is this program, of the bytes `old` to new ones, and what the approval came to. */
async function approvedWith(content: string, program: string) {
  const editor = join(folder, "editor.mjs");
  const frame = `import { readFileSync, writeFileSync } from "node:fs";
    const file = process.argv[2];
    let text = readFileSync(file, "utf8");
    ${program}
    writeFileSync(file, text);`;
  await writeFile(editor, frame);
  let opened: Promise<string> = Promise.resolve("");
  const env = { ...process.env, VISUAL: "", EDITOR: `'${process.execPath}' '${editor}'` };
  const room = await panelRoom({
    edit: (text, name, signal) => {
      opened = editText(text, name, env, signal);
      return opened;
    },
  });
  const { reply } = await room.asksApproval(approvalView({ edit: { content, max_length: 100_000 } }));
  await room.type("e", enter);
  await opened.catch(() => {});
  await room.settled();
  await room.pass(1_000);
  // A long difference is shown whole first.
  await room.type("\u0005", "q", "y", enter);
  return { reply: await reply, room };
}

const textOf = (reply: unknown, content: string) => (reply as { edited?: string }).edited ?? content;

describe("a text that is changed in the person's editor before it is approved (P-XAO-9)", () => {
  test(`a text changed in the editor keeps untouched parts byte for byte, with line ends of any kind, in ${FILES} texts`, {
    timeout: 20_000 + FILES * 2_000,
  }, async () => {
    for (let seed = 1, left = FILES; left > 0; seed += 1) {
      const { text, touches, problemOf } = touchedText(seed);
      let shown = shownText(text);
      for (const { from, to, typed } of touches) shown = shown.slice(0, from) + typed + shown.slice(to);
      // An end that an editor writes behind the last line is left out.
      if (shown.endsWith("\n") && !/[\r\n]$/.test(text)) continue;
      left -= 1;
      const { reply } = await approvedWith(
        text,
        `let parts = text.match(/\\r\\n|[^]/g) ?? [];
        for (const { from, to, typed } of ${JSON.stringify(touches)})
          parts = [...parts.slice(0, from), ...typed.split(""), ...parts.slice(to)];
        text = parts.join("");`,
      );
      expect(problemOf(textOf(reply, text)), `seed ${seed}`).toBeUndefined();
    }
  });

  test("a text gets its line ends back where the editor made them alike and added a mark and an end, and a line says so", async () => {
    const content = "one\r\ntwo\nthree\r\nfour";
    const { reply, room } = await approvedWith(
      content,
      `text = "\\ufeff" + text.replace(/\\r\\n/g, "\\n").replace("two", "zwei") + "\\n";`,
    );
    expect(textOf(reply, content)).toBe("one\r\nzwei\nthree\r\nfour");
    expect(room.written()).toContain("line ends that only your editor changed stay as they were");
  });

  test.each([
    ["a byte of no character", `Buffer.from([0x61, 0xff])`],
    ["NUL", `"a\\0b"`],
  ])(
    "a text stays unchanged where the editor saves %s, and a line names the file that keeps the result",
    async (_, saved) => {
      const { reply, room } = await approvedWith("one\r\n", `text = ${saved};`);
      expect(reply).toBe("approve");
      const file = /no text in UTF-8 without NUL: it is in (\S+)\)/.exec(
        room.written().replace(/\n/g, ""),
      )?.[1];
      expect((await readFile(file ?? "")).length).toBeGreaterThan(1);
      await rm(join(file ?? "", ".."), { recursive: true });
    },
  );
});
