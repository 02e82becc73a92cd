import type { Page } from "playwright-core";

/** A picture of one pixel, as PNG. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** The clipboard as programs fill it: one thing in several forms. */
export const clipboards = {
  spreadsheet: {
    "text/plain": "Name\tCount\nAlpine\t3\n",
    "text/html": "<table><tr><td>Name</td><td>Count</td></tr><tr><td>Alpine</td><td>3</td></tr></table>",
    "image/png": pixel,
  },
  wordProcessor: {
    "text/plain": "A \u201cquoted\u201d text\r\nwith a second line",
    "text/html": "<p class=MsoNormal>A &#8220;quoted&#8221; text<o:p></o:p></p><p>with a second line</p>",
  },
  browser: {
    "text/plain": "a link",
    "text/html": '<meta charset="utf-8"><a href="https://example.org/" onclick="alert(1)">a link</a>',
  },
  picture: { "image/png": pixel },
  pictureOfPage: { "text/html": '<img src="https://example.org/a.png" alt="a">', "image/png": pixel },
  line: { "text/plain": "2026-03-01" },
  nothing: { "text/plain": "" },
} as const;

/** Puts this on the clipboard and pastes it at the focus, by the keys of the browser where it lets a page do so. */
export async function paste(page: Page, program: keyof typeof clipboards): Promise<void> {
  const forms = Object.entries(clipboards[program]);
  const isWritten = await page.evaluate(
    async (forms) => {
      const bytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const parts = forms.map(([type, text]) => [
        type,
        new Blob([type.startsWith("image/") ? bytes(text) : text], { type }),
      ]);
      try {
        await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(parts) as never)]);
        return true;
      } catch {
        // Not every browser lets a page write to the clipboard: the event, and what a browser does with text.
        const given = new DataTransfer();
        for (const [type, blob] of parts as [string, Blob][]) {
          if (type.startsWith("image/")) given.items.add(new File([blob], "image.png", { type }));
          else given.setData(type, await blob.text());
        }
        const at = document.activeElement ?? document.body;
        const event = new ClipboardEvent("paste", { clipboardData: given, bubbles: true, cancelable: true });
        const text = given.getData("text/plain");
        if (at.dispatchEvent(event) && text !== "") document.execCommand("insertText", false, text);
        return false;
      }
    },
    forms as [string, string][],
  );
  if (isWritten) await page.keyboard.press("ControlOrMeta+v");
  await page.getByText("The picture is still being read.").waitFor({ state: "detached" });
}
