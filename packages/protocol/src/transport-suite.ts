import { errorText } from "./error-text.js";
import type { MessageChannel } from "./framing/channel.js";
import { jsonText } from "./framing/json-text.js";

/** Two channels of a transport: what one sends, the other delivers. */
export interface LinkedChannels {
  readonly left: MessageChannel;
  readonly right: MessageChannel;
  /** Frees what is below the channels, such as a server. Default: nothing. */
  readonly free?: () => void | Promise<void>;
}

/**
 * The function that names and runs a test: of `node:test`, vitest, jest or mocha. The context of the first two lets a
 * running test skip itself.
 */
export type RunTest = (
  name: string,
  run: (context?: { readonly skip?: (reason: string) => unknown }) => Promise<void>,
) => unknown;

export interface TransportSuiteOptions {
  /** Milliseconds after which a test fails that waits for a message or an end. Default: 20,000. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;
const MANY = 1_000;
/** Characters of a long message: more than most transports hand over at once, each of them three bytes. */
const LONG = 1_000_000;

/**
 * Tests what a transport owes the wire, whatever it is made of: each message whole, once and in order, in both
 * directions; an end that is told once, after all that was sent; and no wait that never ends. A test of an optional
 * member that neither channel has is skipped, with the reason, where the runner lets a running test skip itself.
 *
 * @param name the name of the transport, which begins each test's name.
 * @param open makes two linked channels; called once for each test. Both deliver nothing before `listen`.
 * @param test runs a test. An error that it throws says what was expected and what came.
 */
export function transportSuite(
  name: string,
  open: () => LinkedChannels | Promise<LinkedChannels>,
  test: RunTest,
  { patienceMs = PATIENCE_MS }: TransportSuiteOptions = {},
): void {
  for (const [title, check] of Object.entries(checks)) {
    // Rest arguments: jest and mocha would take a declared one for a callback to wait for.
    test(`${name}: ${title}`, async (...[context]) => {
      const { left, right, free } = await open();
      const ends = [new End("left", left, patienceMs), new End("right", right, patienceMs)] as const;
      const lack = (member: string) => void context?.skip?.(`neither channel has ${member}`);
      try {
        await check(...ends, lack);
      } finally {
        for (const { channel } of ends) channel.close();
        await free?.();
      }
    });
  }
}

/** Calls `lack` with the name of an optional member that neither channel has. */
type Check = (left: End, right: End, lack: (member: string) => void) => Promise<void>;

const checks: Readonly<Record<string, Check>> = {
  async "a message arrives unchanged, whatever its characters"(left, right) {
    const texts = ["", "plain", 'quotes " and \\', "two\nlines\r\n", "\u2028 \u2029 \u0000", "数据库 🎉 é"];
    for (const [from, to] of ways(left, right)) {
      to.listen();
      for (const text of texts) from.send(text);
      await to.has(texts.length);
      same(to.texts, texts, `what the ${to.name} channel delivered`);
    }
  },

  async "many messages arrive once and in their order, both ways at the same time"(left, right) {
    const texts = Array.from({ length: MANY }, (_, i) => `message ${i}`);
    for (const end of [left, right]) end.listen();
    for (const text of texts) {
      left.send(text);
      right.send(text);
    }
    for (const end of [left, right]) {
      await end.has(MANY);
      same(end.texts, texts, `what the ${end.name} channel delivered`);
    }
  },

  async "a long message arrives whole, and the one after it"(left, right) {
    const long = "数".repeat(LONG);
    right.listen();
    left.send(long);
    left.send("after");
    await right.has(2);
    if (right.texts[0] !== long) throw new Error(`expected ${LONG} characters, unchanged`);
    same(right.texts[1], "after", "the message after the long one");
  },

  async "a message that comes before the listener waits for it"(left, right) {
    left.send("early");
    await turn();
    right.listen();
    left.send("late");
    await right.has(2);
    same(right.texts, ["early", "late"], "what was delivered");
  },

  async "no message is delivered within the call that sends it"(left, right) {
    right.listen();
    left.send("one");
    same(right.texts, [], "what was delivered by the end of send()");
    await right.has(1);
  },

  async "what was sent before the end arrives, then both channels end, once and without a cause"(
    left,
    right,
  ) {
    for (const end of [left, right]) end.listen();
    const texts = Array.from({ length: 100 }, (_, i) => `message ${i}`);
    for (const text of texts) left.send(text);
    left.channel.close();
    left.channel.close();
    for (const end of [left, right]) await end.over();
    same(right.texts, texts, "what was delivered before the end");
    await turn();
    for (const { name, ends } of [left, right])
      same(ends.map(causeOf), ["no cause"], `the ends told by the ${name} channel`);
  },

  async "a closed channel ignores what it is to send"(left, right) {
    for (const end of [left, right]) end.listen();
    left.channel.close();
    left.send("late");
    await right.over();
    right.send("later");
    right.channel.close();
    await turn();
    same([left.texts, right.texts], [[], []], "what was delivered");
  },

  async "the wait for what is unsent ends at once where little is unsent, and at the end"(left, right) {
    for (const end of [left, right]) end.listen();
    await left.drained(LONG, "a channel with nothing unsent");
    left.send("x".repeat(LONG));
    const drained = left.drained(0, "a channel that has delivered everything");
    await right.has(1);
    await drained;
    left.channel.close();
    await right.over();
    await left.drained(0, "a closed channel");
    await right.drained(0, "a channel that the other side closed");
  },

  async "a channel that is held delivers all of it afterwards, where it can be held"(left, right, lack) {
    const texts = ["one", "two", "three"];
    const held = ways(left, right).filter(([, to]) => to.channel.hold !== undefined);
    if (held.length === 0) lack("hold");
    for (const [from, to] of held) {
      to.listen();
      let goOn = () => {};
      const until = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      to.channel.hold?.(until);
      for (const text of texts) from.send(text);
      await turn();
      goOn();
      await to.has(texts.length);
      same(to.texts, texts, `what the ${to.name} channel delivered`);
    }
  },

  async "the bytes that have come are counted, where the transport can tell"(left, right, lack) {
    const counted = ways(left, right).filter(([, to]) => to.channel.bytesRead !== undefined);
    if (counted.length === 0) lack("bytesRead");
    for (const [from, to] of counted) {
      to.listen();
      const before = to.channel.bytesRead ?? 0;
      from.send("some text");
      await to.has(1);
      const [after, least] = [to.channel.bytesRead ?? 0, before + "some text".length];
      if (after < least)
        throw new Error(`bytesRead of the ${to.name} channel: expected ${least} at least, not ${after}`);
    }
  },
};

/** One of the two channels, and what it has delivered. */
class End {
  readonly name: string;
  readonly channel: MessageChannel;
  readonly texts: string[] = [];
  readonly ends: (Error | undefined)[] = [];
  readonly #patienceMs: number;
  readonly #waits = new Set<() => void>();

  constructor(name: string, channel: MessageChannel, patienceMs: number) {
    this.name = name;
    this.channel = channel;
    this.#patienceMs = patienceMs;
  }

  listen(): void {
    this.channel.listen({
      message: (text) => this.#note(() => this.texts.push(textOf(text))),
      oversized: (limit) => this.#note(() => this.texts.push(`(a message over ${limit} bytes)`)),
      closed: (cause) => this.#note(() => this.ends.push(cause)),
    });
  }

  send(text: string): void {
    this.channel.send(jsonText({ jsonrpc: "2.0", method: "event", params: { text } }));
  }

  /** Waits for that many messages. */
  has(count: number): Promise<void> {
    return this.#until(() => this.texts.length >= count, `${count} messages at the ${this.name} channel`);
  }

  /** Waits for the end. */
  over(): Promise<void> {
    return this.#until(() => this.ends.length > 0, `the end of the ${this.name} channel`);
  }

  /** Waits until at most that many bytes wait to be sent. */
  drained(bytes: number, when: string): Promise<void> {
    return this.#within(this.channel.drained(bytes), `drained(${bytes}) of ${when}`);
  }

  #note(what: () => void): void {
    what();
    for (const look of this.#waits) look();
  }

  #until(isSo: () => boolean, what: string): Promise<void> {
    const come = new Promise<void>((resolve) => {
      const look = () => isSo() && resolve();
      this.#waits.add(look);
      look();
    });
    return this.#within(come, what);
  }

  async #within(promise: Promise<unknown>, what: string): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`still waiting for ${what}`)), this.#patienceMs);
    });
    await Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }
}

/** The text of a message as this suite sends them. */
function textOf(message: string): string {
  try {
    return (JSON.parse(message) as { params: { text: string } }).params.text;
  } catch (error) {
    return `(no message: ${errorText(error)})`;
  }
}

/** Both ways of a message, each from one channel to the other. */
const ways = (left: End, right: End) =>
  [
    [left, right],
    [right, left],
  ] as const;

const causeOf = (cause: Error | undefined) => cause?.message ?? "no cause";

/** A turn of the event loop, in any runtime. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

function same(actual: unknown, expected: unknown, what: string): void {
  const [is, was] = [actual, expected].map((value) => JSON.stringify(value).slice(0, 1_000));
  if (is !== was) throw new Error(`${what}: expected ${was}, and it is ${is}`);
}
