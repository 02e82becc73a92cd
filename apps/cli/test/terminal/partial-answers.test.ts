import { expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

const size = { question: "Which size?", options: [{ label: "Small" }, { label: "Large" }] };
const QUESTION = "(/skip to leave it out, /decline to decline) >";
const DISCARD = "discard the answer that you gave? y: yes, n: ask again >";

/** A conversation in which two questions of one request are asked. */
async function asked() {
  const cwd = await folderWith({ "s.json": JSON.stringify([asksLine([colour, size]), "text: Thanks."]) });
  const args = ["chat", "--plain", "--script", "s.json", "--prompt", "go"];
  return openAskwire(args, { cwd, env: { ASKWIRE_HOME: await folderWith() } });
}

/** That conversation at its second question, the first being answered. */
async function halfway() {
  const chat = await asked();
  await chat.waitFor(/Which colour\?[\s\S]*decline\) >$/);
  chat.type("2\r");
  await chat.waitFor(/Which size\?[\s\S]*decline\) >$/);
  return chat;
}

test.each([
  ["/decline", "/decline\r"],
  ["Ctrl-C", "\u0003"],
])("%s after an answer asks before discarding it, and n asks the question again", async (_what, keys) => {
  const chat = await halfway();
  chat.type(keys);
  await chat.waitFor(DISCARD);
  chat.type("n\r");
  await chat.waitFor(/Which size\?[\s\S]*Which size\?[\s\S]*decline\) >$/);
  chat.type("1\r");
  expect(await chat.waitFor("Thanks.")).toContain("User answered");
});

test.each([
  ["y", "y\r"],
  ["Ctrl-C", "\u0003"],
])(
  "%s at that question discards the answer, and the model reads that the person dismissed the question",
  async (_what, keys) => {
    const chat = await halfway();
    chat.type("/decline\r");
    await chat.waitFor(DISCARD);
    chat.type(keys);
    expect(await chat.waitFor("Thanks.")).toContain("User dismissed");
  },
);

test("a decline at the first question loses nothing, so nothing is asked", async () => {
  const chat = await asked();
  await chat.waitFor(QUESTION);
  chat.type("/decline\r");
  expect(await chat.waitFor("Thanks.")).not.toContain("discard");
});

test("/skip leaves one choice out beside another answer, but not all of them", async () => {
  const chat = await asked();
  await chat.waitFor(QUESTION);
  chat.type("/skip\r");
  await chat.waitFor(/Which size\?[\s\S]*\(\/decline to decline\) >$/);
  chat.type("/skip\r");
  await chat.waitFor("/skip does not count at this question");
  chat.type("1\r");
  const screen = await chat.waitFor("Thanks.");
  expect(screen).toContain("User answered");
  expect(screen).not.toContain("Which colour? →");
});
