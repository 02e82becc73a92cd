import fc from "fast-check";
import type { Page } from "playwright-core";
import { inputMethod } from "../input-method.js";
import { clipboards, paste } from "./clipboards.js";

/** An act of a person. The controls of a kind are counted, so that any number names one. */
export type Act =
  | {
      readonly act: "press" | "pressTwice" | "tap" | "focus" | "hover";
      readonly kind: keyof typeof kinds;
      readonly control: number;
    }
  | { readonly act: "key"; readonly key: string }
  | { readonly act: "type" | "compose" | "leaveComposing"; readonly text: string }
  | { readonly act: "paste"; readonly program: keyof typeof clipboards }
  | { readonly act: "resize"; readonly width: number }
  | { readonly act: "wait"; readonly ms: number }
  | { readonly act: "scroll"; readonly by: number }
  | { readonly act: "blur" | "reload" }
  /** The server or the host does something of itself. */
  | { readonly act: "mind"; readonly what: Mind };

/** An act of the server or the host. */
export type Mind = "again" | "refuse" | "otherwise" | "late";

const keys = [
  ...["Tab", "Tab", "Tab", "Shift+Tab", "Enter", "Control+Enter", "Space", "Escape"],
  ...["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"],
  ...["1", "2", "3", "9", "Backspace", "Delete", "Control+a", "Control+z"],
];
const texts = [
  "x",
  "MariaDB",
  "12",
  "1e3",
  "10²",
  "2026-03-01",
  "  ",
  "a@b.de",
  'he said: "no"',
  "龙",
  "-1",
  "z\u0301",
];

const CARD = ".dock section.askwire-card";

/** The kinds of controls on a card. */
const kinds = {
  main: ":is(.askwire-main, .askwire-buttons > span button)",
  way: ".askwire-buttons button",
  choice: "input:is([type=radio], [type=checkbox])",
  label: "label:not(.askwire-file)",
  box: ":is(textarea, input:not([type=radio], [type=checkbox], [type=file]))",
  fold: "summary",
  tab: "[role=tab]",
  any: ":is(button, input:not([type=file]), textarea, summary, label:not(.askwire-file), [role=tab])",
} as const;
const kind = fc.constantFrom<keyof typeof kinds>(
  ...(["main", "main", "way", "choice", "choice", "label", "box", "box", "fold", "tab", "any"] as const),
);

/** Any act, those more often by which an answer comes about. */
export const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ act: fc.constant("press" as const), kind, control: fc.nat(40) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom("pressTwice", "tap", "focus", "focus", "hover"),
      ...{ kind, control: fc.nat(40) },
    }),
  },
  { weight: 24, arbitrary: fc.record({ act: fc.constant("key" as const), key: fc.constantFrom(...keys) }) },
  {
    weight: 14,
    arbitrary: fc.record({ act: fc.constant("type" as const), text: fc.constantFrom(...texts) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom("compose", "leaveComposing"),
      text: fc.constantFrom("ni", "你好", "1"),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant("paste" as const),
      program: fc.constantFrom(...(Object.keys(clipboards) as (keyof typeof clipboards)[])),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant("resize" as const), width: fc.constantFrom(320, 700, 1_000) }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ act: fc.constant("wait" as const), ms: fc.constantFrom(300, 1_100) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant("scroll" as const), by: fc.constantFrom(-400, 400) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom("blur", "blur", "reload") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("mind" as const),
      what: fc.constantFrom<Mind>("again", "refuse", "otherwise", "late"),
    }),
  },
);

/** Presses the first control in sight of a selector, if there is one. */
export const pressFirst = (page: Page, selector: string): Promise<void> =>
  at(page, selector, 0, (x, y) => page.mouse.click(x, y));

/** Does something where a control is: the one of this number among those of the selector that are in sight. */
async function at(
  page: Page,
  selector: string,
  control: number,
  press: (x: number, y: number) => Promise<void>,
): Promise<void> {
  const place = await page.evaluate(
    ([selector, control]) => {
      const shown = [...document.querySelectorAll<HTMLElement>(selector)].filter((one) =>
        one.checkVisibility(),
      );
      const one = shown[control % shown.length];
      if (one === undefined) return undefined;
      const middle = () => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2] as const;
      };
      // Whoever finds it covered scrolls on.
      for (const block of ["nearest", "center"] as const) {
        one.scrollIntoView({ block, behavior: "instant" });
        if (one.contains(document.elementFromPoint(...middle()))) break;
      }
      return middle();
    },
    [selector, control] as const,
  );
  if (place !== undefined) await press(...place);
}

/** Does an act as the browser's own devices do it. `reload` and `mind` are those of the surface. */
export async function perform(
  page: Page,
  act: Act,
  { isTouch }: { readonly isTouch: boolean },
): Promise<void> {
  const { keyboard, mouse, touchscreen } = page;
  const point = (
    { kind, control }: Extract<Act, { control: number }>,
    press: (x: number, y: number) => Promise<void>,
  ) => at(page, `${CARD} ${kinds[kind]}:not(:disabled)`, control, press);
  switch (act.act) {
    case "press":
      return point(act, async (x, y) => {
        await mouse.move(x - 1, y);
        await mouse.click(x, y);
      });
    case "pressTwice":
      return point(act, (x, y) => mouse.dblclick(x, y));
    case "tap":
      return point(act, (x, y) => (isTouch ? touchscreen.tap(x, y) : mouse.click(x, y)));
    case "hover":
      return point(act, (x, y) => mouse.move(x, y));
    case "focus":
      return page.evaluate(
        ([selector, control]) => {
          const all = document.querySelectorAll<HTMLElement>(selector);
          all[control % all.length]?.focus();
        },
        [`${CARD} ${kinds[act.kind]}`, act.control] as const,
      );
    case "blur":
      return page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    case "key":
      return keyboard.press(act.key);
    case "type":
      return write(page, act.text);
    case "compose":
    case "leaveComposing":
      return compose(page, act);
    case "paste":
      return paste(page, act.program);
    case "resize":
      return page.setViewportSize({ width: act.width, height: 800 });
    case "wait":
      return page.clock.fastForward(act.ms);
    case "scroll":
      return mouse.wheel(0, act.by);
  }
}

const isChromium = (page: Page) => page.context().browser()?.browserType().name() === "chromium";

/**
 * Writes as by a keyboard. What no key of it has is inserted by the editing command of the browser, since Playwright sets
 * the value of a box of Firefox in a way of which the page does not hear.
 */
async function write(page: Page, text: string): Promise<void> {
  if (isChromium(page)) return page.keyboard.type(text);
  for (const [part] of text.matchAll(/[ -~]+|[^ -~]+/g)) {
    if (/^[ -~]/.test(part)) await page.keyboard.type(part);
    else await page.evaluate((text) => document.execCommand("insertText", false, text), part);
  }
}

/** Writes by an input method, and chooses the text or leaves it. Only Chromium lets a program do so. */
async function compose(page: Page, { act, text }: Extract<Act, { text: string }>): Promise<void> {
  if (!isChromium(page)) return write(page, text);
  const method = await inputMethod(page);
  await method.compose(text);
  await method.enter(act === "compose" ? 0 : 2);
  if (act === "compose") await method.choose(text);
}
