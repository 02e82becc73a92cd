// @ts-check
// An agent for the tests inside the editor: notes that it was started, asks, writes a file, or says what it was sent.
import { appendFile } from "node:fs/promises";
import { createServer, serveStdio } from "@askwire/server";
import { ask, write, writeAll } from "../requests.mjs";

await appendFile("started.txt", `${process.pid}\n`);

/** @type {Record<string, () => Promise<string>>} */
const tasks = {
  ask: () =>
    ask([{ question: "Which database?", header: "DB", options: [{ label: "SQLite" }, { label: "None" }] }]),
  explain: () =>
    ask([
      {
        ...{ question: "Which database?", header: "DB", body: "See [the plan](https://plan.test/)." },
        options: [{ label: "SQLite", preview: "one file" }, { label: "None" }],
      },
    ]),
  write: () => write("cart.json", '"apples"\n', '"pears"\n'),
  "write elsewhere": () =>
    writeAll([
      { path: "plan.ipynb", old_text: "", new_text: '{ "cells": [] }\n' },
      { path: "logo.png", old_text: "", new_text: "no picture\n" },
    ]),
  "write seven": () =>
    writeAll(
      Array.from({ length: 7 }, (_, at) => ({ path: `file-${at + 1}.txt`, old_text: "", new_text: "new\n" })),
    ),
};

const server = createServer({
  agent: {
    async run(turn) {
      const task = tasks[String(turn.input)];
      turn.say(`Result: ${task === undefined ? JSON.stringify(turn.input) : await task()}`);
    },
  },
});
await serveStdio(server);
