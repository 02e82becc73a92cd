import { expect, test } from "vitest";
import { againCommand } from "../../src/sessions/again-command.js";

test("the command to go on with a session repeats its options, quoted for a shell, without its beginning", () => {
  const words = ["chat", "--model", "a:b", "--prompt", "go", "--continue", "--work-dir", "my folder"];
  expect(againCommand(words, "s1")).toBe("askwire chat --model a:b --work-dir 'my folder' --session s1");
  expect(againCommand(["chat", "--session=s0", "--", "node", "--prompt", "x"], "s1")).toBe(
    "askwire chat --session s1 -- node --prompt x",
  );
});
