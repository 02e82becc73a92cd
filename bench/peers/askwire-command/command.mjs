import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { questions } from "../../payload.mjs";

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(relative, import.meta.url));

/** A model that asks the first question, then says one word. @returns {string[]} */
export function commandLine() {
  const [first] = questions;
  if (first === undefined) throw new Error("there is no question");
  const { question, header, options } = first;
  const call = JSON.stringify({ questions: [{ question, header, options }] });
  const scripts = [
    `tool_call: ${JSON.stringify({ id: "c1", name: "AskUserQuestion", arguments: call })}`,
    "text: done",
  ];
  const file = path("../../results/first-question.json");
  mkdirSync(path("../../results"), { recursive: true });
  writeFileSync(file, JSON.stringify(scripts));
  return [path("../../../apps/cli/bin/askwire.js"), "serve", "--stdio", "--script", file];
}
