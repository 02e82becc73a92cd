import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { testBrowser } from "../../../../examples/test/test-browser.js";
import { askwire, folderWith } from "../../../cli/test/askwire.js";
import { placeWithNodes } from "../../../cli/test/stored/nodes-in-database.js";
import { openAskwire } from "../../../cli/test/terminal.js";
import { asks, type Ends } from "./asked.js";
import { pagePerson } from "./page-person.js";
import type { Pace, Person } from "./person.js";
import { terminalPerson } from "./terminal-person.js";

/**
 * The size of a run. `ASKWIRE_TEAM="minutes=60 pages=5 terminals=5 programs=50 pause=20 think=2"` is an hour of ten people
 * and fifty programs, with its figures, and what was awkward in the file `ASKWIRE_TEAM_LOG`: seconds for the longest pause
 * of a program, and for the longest thought of a person.
 */
const { minutes, answers, pages, terminals, programs, pause, think } = Object.assign(
  // The default of a run: until there are so many answers.
  { minutes: 0, answers: 20, pages: 2, terminals: 2, programs: 5, pause: 0.1, think: 0.2 },
  Object.fromEntries(
    (process.env["ASKWIRE_TEAM"] ?? "")
      .split(" ")
      .map((part) => [part.split("=")[0], Number(part.split("=")[1])]),
  ) as Record<string, number>,
);
const NAMES = ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan"];
const browser = testBrowser();

/** Three nodes of one store, whose people have tokens, and the first two of whom lead. */
async function company() {
  const place = await placeWithNodes();
  const people = NAMES.slice(0, pages + terminals);
  const tokens = new Map<string, string>();
  const command = (...args: string[]) => askwire(args, { env: { ASKWIRE_HOME: place.home } });
  for (const name of people) {
    tokens.set(name, (await command("tokens", "add", name, "--role", "answer")).stdout.trim());
    await command("admin", "grant", name, "--role", "all");
  }
  for (const name of people.slice(0, 2)) await command("admin", "grant", name, "--role", "leads");
  const nodes = [await place.node(), await place.node(), await place.node()];
  const addressOf = (index: number) => (nodes[index % nodes.length] as (typeof nodes)[0]).address;
  return { people, tokens, addressOf };
}

/** The people, every second of them at a page until there are enough, each at a node. */
async function team({ people, tokens, addressOf }: Awaited<ReturnType<typeof company>>, pace: Pace) {
  const all: Person[] = [];
  const complaints: string[] = [];
  for (const [index, name] of people.entries()) {
    const lobby = addressOf(index).replace(/\/wire\/[^#]*/, "/wire");
    if (index < pages) {
      const opened = await browser.newPage({ viewport: { width: 1_000, height: 800 } });
      await opened.page.goto(`${new URL(lobby).origin.replace("ws", "http")}/#token=${tokens.get(name)}`);
      all.push(pagePerson(name, opened.page, pace));
      opened.page.on("console", (message) => complaints.push(message.text()));
    } else {
      const home = await folderWith({ token: tokens.get(name) ?? "" });
      const args = ["inbox", "--connect", lobby.replace(/#.*/, ""), "--token-file", `${home}/token`];
      const open = () => openAskwire(args, { env: { ASKWIRE_HOME: home }, columns: 100, rows: 30 });
      all.push(terminalPerson(name, open, pace));
    }
  }
  return { all, complaints };
}

test("people at pages and terminals of three nodes cannot answer all that programs ask", async () => {
  const there = await company();
  const { random } = Math;
  const pace: Pace = { random, think: () => setTimeout(random() * think * 1_000) };
  const { all, complaints } = await team(there, pace);
  const ends: Ends = { by: new Map(), waited: [] };
  const until = performance.now() + minutes * 60_000;
  const isOver = () => (minutes > 0 ? performance.now() > until : ends.waited.length >= answers);
  const sessions = await Promise.all(
    Array.from({ length: programs }, (_, index) =>
      connectWebSocket(there.addressOf(index).replace(/\/wire\/[^#]*/, "/wire"), {
        client: { name: `program ${index}` },
      }),
    ),
  );
  onTestFinished(async () => void (await Promise.all(sessions.map((session) => session.close()))));
  const asking = sessions.map((session, index) =>
    asks(session, `program ${index}`, {
      ends,
      random,
      isOver,
      pause: () => setTimeout(random() * pause * 1_000),
    }),
  );
  let done = false;
  const finished = Promise.all(asking).then(() => {
    done = true;
  });
  const awkward: string[] = [];
  const lives = async (person: Person) => {
    while (!done) {
      try {
        await person.step();
      } catch (error) {
        if (done) return;
        const words = `${person.name}: ${String(error).split("\n")[0]}\n${await person.screen().catch(String)}\n`;
        awkward.push(words);
        if (process.env["ASKWIRE_TEAM_LOG"])
          appendFileSync(process.env["ASKWIRE_TEAM_LOG"], `${new Date().toISOString()} ${words}\n`);
        await person.anew();
      }
    }
  };
  await Promise.all([finished, ...all.map(lives)]);
  const sorted = ends.waited.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  const figures = {
    ...Object.fromEntries(ends.by),
    ms: { half: at(0.5), most: at(0.95), longest: at(0.999) },
  };
  if (minutes > 0)
    process.stdout.write(`${JSON.stringify({ figures, awkward: awkward.length, complaints })}\n`);
  else expect(awkward).toEqual([]);
  expect(ends.by.has("nobody")).toBe(false);
  expect(complaints).toEqual([]);
});
