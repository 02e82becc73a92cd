import { describe, expect, test } from "vitest";
import { growth, LINEAR } from "../../../../scripts/growth.js";
import { textSigns } from "../../../trajectory/src/plain-text.js";
import { content, read, reader, shown } from "./reader-scene.js";

describe("a call in the text", () => {
  const body = JSON.stringify({ code: 'print("</microsandbox_execute></microsandbox>\\n")', timeout: 1 });
  const call = `<microsandbox><microsandbox_execute>${body}</microsandbox_execute></microsandbox>`;

  test("a call may have its own close tag in a string of its arguments, whole and in single characters (P-ADP-4)", async () => {
    const { text, calls } = await shown(`Now: ${call}\n<execute_tools />`);
    expect([text, calls]).toEqual(["Now: ", [{ name: "microsandbox_execute", args: body }]]);
    const [first] = await read(...call);
    expect(first).toMatchObject({ name: "microsandbox_execute", args: body, written: call });
  });

  test("a call ends at its first close tag where a string of its arguments has no end (P-ADP-4)", async () => {
    const bad = '<microsandbox><microsandbox_execute>{"code": "1}</microsandbox_execute></microsandbox>';
    const { text, calls } = await shown(`${bad} That is all.`);
    expect(calls).toEqual([{ name: "microsandbox_execute", args: '{"code": "1}' }]);
    expect(text).toBe(" That is all.");
  });
});

describe("results that the model began and did not end", () => {
  test("unfinished results that the model wrote are shown, and read in time linear in their length (P-ADP-7)", async () => {
    const readMany = async (count: number) => {
      const text = "<result>".repeat(count);
      async function* stream() {
        yield content(text);
      }
      let length = 0;
      for await (const part of reader().read(stream())) {
        if (part.type === "content" && part.part.type === "text") length += part.part.text.length;
      }
      expect(length).toBe(text.length);
    };
    expect(await growth(readMany, 50)).toBeLessThan(LINEAR);
  });

  test("unfinished results that the model wrote do not keep a finished one after them from being taken out (P-ADP-7)", async () => {
    const far = "x".repeat(200_000);
    const text = `<result>${far}<b>${far}<result>4</result> done`;
    expect((await shown(text)).text).toBe(`<result>${far}<b>${far} done`);
  });
});

describe("text that a model quotes", () => {
  const call = '<microsandbox><microsandbox_execute>{"code": "1"}</microsandbox_execute></microsandbox>';
  const query = "<tool_param><tool_id>microsandbox</tool_id><action>run_code</action></tool_param>";
  const texts = [
    `~~~xml\n${call}\n${query}\n~~~\n`,
    `  ~~~~\n~~~\n\`\`\`\n${call}\r\n~~~~~ \r\n`,
    `You wrote:\n> ${call}\n  > ${query}\n> \`open\n`,
    `\`\`\`\n~~~\n> x\n${call}\n\`\`\`\n`,
  ];

  test.each(texts)("a call in a fence or in quoted lines is not run: %j (P-ADP-5)", async (text) => {
    expect(await read(text)).toEqual([text]);
    expect(await read(...text)).toEqual([text]);
    expect(textSigns(text)).toMatchObject({ queries: 0, possibleCalls: 0 });
  });

  test.each(texts)("a call after quoted text runs: %j (P-ADP-4)", async (text) => {
    const { calls } = await shown(text + call);
    expect(calls).toEqual([{ name: "microsandbox_execute", args: '{"code": "1"}' }]);
    expect(textSigns(text + call).possibleCalls).toBe(1);
  });

  test("text after a > or tildes within a line is not quoted (P-ADP-4)", async () => {
    const { text, calls } = await shown(`if a > b ~~~ c -> ${call}`);
    expect([text, calls.length]).toEqual(["if a > b ~~~ c -> ", 1]);
  });
});
