import type { Page } from "playwright-core";
import { type Act, type Mind, perform, pressFirst } from "./acts.js";
import { differences, lostBy, type Sent } from "./differences.js";
import type { Driven } from "./requests.js";
import { readStanding, type Standing } from "./standing.js";

/** A request before the person. */
export interface PutRequest {
  /** Resolves once an answer is at the other end. */
  readonly sent: Promise<Sent>;
  /** The request that stands there now. */
  request(): Driven;
  /** Does what the other side may do by itself, where this surface can. */
  mind(what: Mind): Promise<void>;
  /** Takes the request away where it is still open, and leaves no card of it. */
  end(): Promise<void>;
}

/** A place where cards are shown, whose clock is installed. */
export interface Surface {
  readonly page: Page;
  readonly isTouch: boolean;
  /** Resolves once the card of the request is there. */
  put(request: Driven): Promise<PutRequest>;
  /** Loads the place anew, and resolves once the card is there again. */
  reload(): Promise<void>;
}

/** The end of a drive. */
export interface Drive {
  /** The answer that the agent or host was given. Undefined where the person sent nothing. */
  readonly sent: Sent | undefined;
  /** The parts that were sent otherwise than they stood on the card. */
  readonly differences: readonly string[];
}

/** Puts a request, acts on its card, and compares what is sent with what stood on the card before the last act. */
export async function drive(surface: Surface, request: Driven, acts: readonly Act[]): Promise<Drive> {
  const put = await surface.put(request);
  try {
    const person = new Person(surface, put);
    for (const act of acts) if (person.isOpen) await person.does(act);
    for (let rounds = 0; rounds < 10 && person.isOpen; rounds += 1) await person.goesOn();
    return await person.ended();
  } finally {
    await put.end();
  }
}

const CARD = ".dock section.askwire-card";
const SEND = `${CARD} :is(.askwire-main, .askwire-allow button)`;
const CHOICE = `${CARD} .askwire-question input:is([type=radio], [type=checkbox])`;
const WORDS = `${CARD} .askwire-question .askwire-own :is(textarea, input:not([type=radio]))`;
/** A valid value for each type of a box, by its attributes. */
const valid: Readonly<Record<string, string>> = {
  ...{ date: "2026-03-01", email: "a@b.de", url: "https://example.org/", numeric: "7", decimal: "7" },
};

/** The controls that a card closes by, and the acts that press them. */
const isPress = (act: Act): boolean =>
  ["press", "pressTwice", "tap"].includes(act.act) ||
  (act.act === "key" && ["Enter", "Control+Enter", "Space"].includes(act.key)) ||
  (act.act === "type" && act.text.includes(" "));

/** A person before one card, and what they have seen on it. */
class Person {
  readonly #surface: Surface;
  readonly #put: PutRequest;
  /** What each question's page showed when it was left with an answer. */
  readonly #pages = new Map<string, Standing>();
  readonly #problems: string[] = [];
  #last: { readonly card: Standing; readonly pressed: string } | undefined;
  isOpen = true;

  constructor(surface: Surface, put: PutRequest) {
    this.#surface = surface;
    this.#put = put;
  }

  async does(act: Act): Promise<void> {
    const { page } = this.#surface;
    if (act.act === "mind") {
      await this.#put.mind(act.what);
      this.isOpen = (await look(page)).isOpen;
    } else if (act.act === "reload") {
      const before = await readStanding(page);
      await this.#surface.reload();
      this.#problems.push(...lostBy("a reload", before, await readStanding(page)));
    } else if (isPress(act)) {
      await this.#press(() => perform(page, act, this.#surface));
    } else {
      await perform(page, act, this.#surface);
      const { isOpen } = await look(page);
      if (isOpen || (await this.#opensAgain())) return;
      this.isOpen = false;
      this.#problems.push(`the card was closed by ${JSON.stringify(act)}`);
    }
  }

  /** Chooses or writes where nothing is, and goes on to the next part until something is sent. */
  async goesOn(): Promise<void> {
    const { page } = this.#surface;
    const send = () => this.#press(() => pressFirst(page, SEND));
    await pressFirst(page, ".askwire-card-fold > button[aria-expanded=false]");
    await page.clock.fastForward(1_100);
    await send();
    if (!this.isOpen) return;
    await page.clock.fastForward(1_100);
    await pressFirst(page, CHOICE);
    const box = page.locator(WORDS).first();
    if ((await box.count()) > 0) {
      const type = (await box.getAttribute("inputmode")) ?? (await box.getAttribute("type")) ?? "";
      await box.fill(valid[type] ?? "seven");
    }
    await send();
  }

  /** Does what may close the card or leave a part of it, and remembers what stood there before. */
  async #press(act: () => Promise<void>): Promise<void> {
    const { page } = this.#surface;
    const card = await readStanding(page);
    await act();
    const { isOpen, pressed, tabs } = await look(page);
    if (!isOpen && !(await this.#opensAgain())) {
      this.isOpen = false;
      this.#last = { card, pressed };
      return;
    }
    const shown = card.tabs.findIndex(({ isShown }) => isShown);
    const request = this.#put.request();
    const id = "questions" in request ? request.questions[shown]?.id : undefined;
    const tab = tabs[shown];
    if (id === undefined || tab === undefined || tab.isShown) return;
    if (tab.name.endsWith("(answered)")) this.#pages.set(id, card);
    else if (tab.name.endsWith("(left out)")) this.#pages.delete(id);
  }

  /** True once the other side has refused the answer and the card is open again; false once it took the answer. */
  async #opensAgain(): Promise<boolean> {
    const open = this.#surface.page.locator(".dock section.askwire-card .askwire-page:not(:disabled)");
    const refused = open.waitFor().then(() => true);
    refused.catch(() => {});
    return Promise.race([refused, this.#put.sent.then(() => false)]);
  }

  async ended(): Promise<Drive> {
    if (this.isOpen) return { sent: undefined, differences: this.#problems };
    const sent = await this.#put.sent;
    if ("stopped" in sent) {
      // By keys they may get to the button that stops the agent; a pointer was on the card.
      const { isStoppedByPointer } = await look(this.#surface.page);
      return { sent, differences: isStoppedByPointer ? ["a press on the card stopped the agent"] : [] };
    }
    if (this.#last === undefined) return { sent, differences: this.#problems };
    const stood = { ...this.#last, pages: this.#pages };
    return { sent, differences: [...this.#problems, ...differences(this.#put.request(), sent, stood)] };
  }
}

/** What the page remembers of the button that was pressed last. */
type Pressed = { lastPressed?: string; isStoppedByPointer?: boolean };

/** Whether the last card takes an answer, and the name of the control that was pressed last. */
const look = (page: Page) =>
  page.evaluate(() => {
    const card = [...document.querySelectorAll(".dock section.askwire-card")].at(-1);
    return {
      isOpen: card?.querySelector(".askwire-page:not(:disabled)") != null,
      tabs: [...(card?.querySelectorAll("[role=tab]") ?? [])].map((tab) => ({
        name: tab.textContent ?? "",
        isShown: tab.getAttribute("aria-selected") === "true",
      })),
      pressed: (globalThis as Pressed).lastPressed ?? "",
      isStoppedByPointer: (globalThis as Pressed).isStoppedByPointer === true,
    };
  });

/** Has the page remember the name of the control that was pressed last, and takes its clock. */
export async function watchPresses(page: Page): Promise<void> {
  await page.clock.install();
  await page.addInitScript(() =>
    addEventListener(
      "click",
      ({ target, detail }) => {
        const button = target instanceof Element ? target.closest("button:not(:disabled)") : null;
        if (button === null) return;
        const page = globalThis as Pressed;
        page.lastPressed = button.textContent ?? "";
        page.isStoppedByPointer = button.matches(".askwire-cancel") && detail > 0;
      },
      true,
    ),
  );
}
