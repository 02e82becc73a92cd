import { afterEach, beforeEach, vi } from "vitest";

const methods = ["debug", "error", "info", "log", "trace", "warn"] as const;

/** Words of `@xterm/headless` about a machine that is busy. */
const isAboutPace = (text: string) => /^task queue exceeded allotted deadline by \d+ms$/.test(text);

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      const text = args.map(String).join(" ");
      if (!isAboutPace(text)) printed.push(`console.${method}: ${text}`);
    });
  }
});

afterEach(() => {
  for (const method of methods) vi.mocked(console[method]).mockRestore?.();
  if (printed.length > 0) {
    throw new Error(`A test must not print; return the text or log it with pino.\n${printed.join("\n")}`);
  }
});
