import type { Page } from "playwright-core";

/** The keys of an input method, such as one for Chinese, in the focused field of a page. */
export async function inputMethod(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  return {
    /** Shows text that is not chosen yet. */
    async compose(text: string): Promise<void> {
      const { length: end } = text;
      await devtools.send("Input.imeSetComposition", { text, selectionStart: end, selectionEnd: end });
    },
    /** Presses Enter, which the input method takes. */
    async enter(modifiers = 0): Promise<void> {
      const key = { type: "keyDown", key: "Enter", windowsVirtualKeyCode: 229, modifiers } as const;
      await devtools.send("Input.dispatchKeyEvent", key);
    },
    /** Chooses the text. */
    async choose(text: string): Promise<void> {
      await devtools.send("Input.insertText", { text });
    },
  };
}
