import { afterEach, beforeEach, vi } from "vitest";

const methods = ["debug", "error", "info", "log", "trace", "warn"] as const;

let printed: string[] = [];

beforeEach(() => {
  printed = [];
  for (const method of methods) {
    vi.spyOn(console, method).mockImplementation((...args: unknown[]) => {
      printed.push(`console.${method}: ${args.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  for (const method of methods) vi.mocked(console[method]).mockRestore?.();
  if (printed.length > 0) {
    throw new Error(`A test must not print; return the text or log it with pino.\n${printed.join("\n")}`);
  }
});
