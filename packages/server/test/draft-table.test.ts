import { describe, expect, test } from "vitest";
import { DraftTable } from "../src/session/draft-table.js";
import { drivenClock } from "./driven-clock.js";

const person = (name: string) => ({ id: name, name, via: "token" }) as const;
const place = (n: number) => ({ session: `s${n % 7}`, request: `r${n}` });

describe("the unsent work of many people (P-XDR-3)", () => {
  /** Keeps as many drafts of a size, each of its own person, and gives those that are still there. */
  function keptOf(count: number, words: string): number[] {
    const table = new DraftTable(drivenClock());
    const all = Array.from({ length: count }, (_, n) => n);
    for (const n of all) table.keep(place(n), person(`p${n}`), { discuss: words });
    return all.filter((n) => table.read(place(n), person(`p${n}`)) !== undefined);
  }

  test("ten thousand drafts are kept, and of more the newest", () => {
    const kept = keptOf(10_002, "why?");
    expect([kept.length, kept[0]]).toEqual([10_000, 2]);
  });

  test("sixteen Mi characters of drafts are kept, and of more the newest", () => {
    const kept = keptOf(1_026, "x".repeat(16_384 - JSON.stringify({ discuss: "" }).length));
    expect([kept.length, kept[0]]).toEqual([1_024, 2]);
  });

  test("a session that goes to another process takes its drafts with it, and no other's", () => {
    const table = new DraftTable(drivenClock());
    const [ann, bob] = [person("Ann"), person("Bob")];
    for (const who of [ann, bob]) table.keep(place(1), who, { discuss: "why?" });
    table.keep(place(2), ann, { discuss: "why?" });
    table.ended(place(1).session);
    expect([table.read(place(1), ann), table.read(place(1), bob)]).toEqual([undefined, undefined]);
    expect(table.read(place(2), ann)).toBeDefined();
  });

  test("a draft in the place of another takes up the room of one", () => {
    const table = new DraftTable(drivenClock());
    const words = "x".repeat(16_000);
    table.keep(place(1), person("first"), { discuss: "why?" });
    for (let n = 0; n < 2_000; n += 1) table.keep(place(2), person("Ann"), { discuss: words });
    expect(table.read(place(1), person("first"))?.draft).toEqual({ discuss: "why?" });
  });
});
