import { expect, test } from "vitest";
import type { OpenCard } from "../src/cards/cards.js";
import { presses } from "../src/surfaces/presses.js";

/** Cards that come when the test says so, and a clock that stands still. */
function scene() {
  let open: OpenCard[] = [];
  let at = 0;
  let look = () => {};
  const onChange = (listener: () => void) => {
    look = listener;
    return () => {};
  };
  const guarded = presses({ chats: { onChange }, cards: { open: () => open } } as never, () => at);
  return {
    come(...ids: string[]) {
      open = ids.map((id) => ({ chat: "s", request: { id } }) as OpenCard);
      look();
    },
    press(id: string, time: number) {
      at = time;
      return guarded.counts("s", id);
    },
  };
}

test("a button of the editor decides nothing in the first second of a card, nor right after another card was decided", () => {
  const { come, press } = scene();
  come("a", "b");
  expect(press("a", 999)).toBe(false);
  expect(press("a", 1_000)).toBe(true);
  come("b");
  expect(press("b", 1_030)).toBe(false);
  expect(press("b", 1_999)).toBe(false);
  expect(press("b", 2_000)).toBe(true);
});

test("no double press of 500, 30 to 600 ms apart, decides about the card that comes next", () => {
  for (let n = 0; n < 500; n++) {
    const { come, press } = scene();
    come("a");
    expect(press("a", 1_000)).toBe(true);
    come("b");
    expect(press("b", 1_030 + (n * 570) / 499)).toBe(false);
  }
});
