import { describe, expect, test } from "vitest";
import { MAX_QUERY } from "../../src/adp/elements.js";
import { asks, calls } from "./adp-scene.js";
import { content, read, readParts, shown, think } from "./reader-scene.js";

const query = (tool_id = "microsandbox", action = "microsandbox_execute") => ({
  name: "param_query",
  args: JSON.stringify({ tool_id, action }),
});
const malformed = { name: "param_query", args: "{}" };
const id = "<tool_id>microsandbox</tool_id>";
const action = "<action>microsandbox_execute</action>";

describe("a query in the text", () => {
  test.each<[string, string]>([
    ["as the seed writes it", asks()],
    ["under its other name", asks(undefined, undefined, "param_query")],
    ["in one line", `<tool_param>${id}${action}</tool_param>`],
    [
      "with line breaks within its children",
      "<tool_param><tool_id>\n microsandbox \n</tool_id>\n<action>\n\tmicrosandbox_execute\n</action></tool_param>",
    ],
    ["in the other order", `<tool_param>${action}${id}</tool_param>`],
    [
      "with attributes",
      `<tool_param lang="zh" note='a > b'>\n<tool_id type="x">microsandbox</tool_id><action a='1'>microsandbox_execute</action></tool_param>`,
    ],
    [
      "with comments",
      `<tool_param><!-- first -->${id}<!--\n<action>no</action>\n-->${action}<!----></tool_param>`,
    ],
    ["with space in its close tags", `<tool_param >${id}${action}</tool_param >`],
    ["that ends with the message", `<tool_param>${id}${action}`],
  ])("a query is found in the text %s", async (_, text) => {
    expect(await shown(`Let me see.\n${text}`)).toEqual({ text: "Let me see.\n", calls: [query()] });
  });

  test("a query is remembered as it was written, and passed on word for word (P-ADP-3)", async () => {
    const [first, ...others] = await read(`<param_query > ${action}\n${id}</param_query>`);
    const written = `<param_query > ${action}\n${id}</param_query>`;
    expect(first).toEqual({ ...query(), written, remembered: written });
    expect(others).toEqual([]);
  });

  test.each<[string, string]>([
    ["no action", `<tool_param>${id}</tool_param>`],
    ["no service", `<tool_param>${action}</tool_param>`],
    ["an empty action", `<tool_param>${id}<action> </action></tool_param>`],
    ["nothing in it", "<tool_param></tool_param>"],
    ["words only", "<tool_param>microsandbox</tool_param>"],
    ["words beside its children", `<tool_param>${id} and ${action}</tool_param>`],
    ["two services", `<tool_param>${id}${id}${action}</tool_param>`],
    ["another child", `<tool_param>${id}${action}<timeout>5</timeout></tool_param>`],
    ["a child that is not closed", `<tool_param>${id}<action>microsandbox_execute</tool_param>`],
    ["tags within a child", `<tool_param>${id}<action><b>x</b></action></tool_param>`],
    ["the other close tag", `<tool_param>${id}${action}</param_query>`],
    ["a child missing at the end of the message", `<tool_param>${id}<act`],
    ["no content tag at all", "<tool_param/>"],
    ["a call in it", `<tool_param>${id}${calls("{}")}</tool_param>`],
  ])("a query that has %s is malformed, and never executed", async (_, text) => {
    expect(await shown(text)).toEqual({ text: "", calls: [malformed] });
  });

  test("a query takes nothing from outside its element", async () => {
    const before = "<think>perhaps <tool_id>browser_use</tool_id> <action>browser_click</action></think>\n";
    expect(await shown(`${before}<tool_id>browser_use</tool_id>\n${asks()}`)).toEqual({
      text: `${before}<tool_id>browser_use</tool_id>\n`,
      calls: [query()],
    });
    expect((await shown(`${id}<tool_param>${action}</tool_param>`)).calls).toEqual([malformed]);
  });
});

describe("several queries in a message", () => {
  test.each<[string, string]>([
    ["nothing", ""],
    ["line breaks", "\n\n"],
    ["a tag that executes", "\n<execute_tools />\n"],
  ])("several queries are answered in their order, with %s between them", async (_, between) => {
    const text = [asks(), asks("browser_use", "browser_click", "param_query"), asks("nowhere", "nothing")];
    expect((await shown(text.join(between))).calls).toEqual([
      query(),
      query("browser_use", "browser_click"),
      query("nowhere", "nothing"),
    ]);
  });

  test("several queries are told apart where the first is not closed", async () => {
    expect(
      (await shown(`<tool_param>${id}${action}\n${asks("browser_use", "browser_click")}`)).calls,
    ).toEqual([query(), query("browser_use", "browser_click")]);
    expect((await shown(`<tool_param>${id}\n${asks()}`)).calls).toEqual([malformed, query()]);
  });
});

describe("text that is no query stays text (P-ADP-5)", () => {
  test.each<[string, string]>([
    ["in a thought", `<think>Should I ask? ${asks()} ${calls("{}")}</think>\nNo.`],
    ["in a thought that does not end", `<think>Should I ask? ${asks()}`],
    ["in a fence", `See:\n\`\`\`xml\n${asks()}\n${calls("{}")}\n\`\`\`\nDone.`],
    ["in backticks", `Write \`${asks().replaceAll("\n", "")}\` for that.`],
    ["in two backticks, with one between", `Write \`\`a \` ${asks().replaceAll("\n", "")}\`\`.`],
    ["in CDATA", `<![CDATA[${asks()}]]>.`],
    ["in a comment", `<!-- ${asks()} -->.`],
    ["under another name", "<tool_params><tool_id>a</tool_id></tool_params>"],
    ["that only begins", "a <tool_par"],
    ["of which only the tag is there", "The <tool_param> tag asks. a < b"],
    ["that is longer than one may be", `<tool_param>${"x".repeat(MAX_QUERY)} <b>`],
    ["of which only the children are there", `${id} ${action}`],
  ])("a query stays text %s", async (_, text) => {
    expect(await read(text)).toEqual([text]);
  });

  test.each([
    [`<think>hm ${asks()}</think>\n`],
    [`\`\`\`\n${asks()}\n\`\`\` \n`],
    ["Code like ```this```, `that` and `\n"],
    ["The <tool_param> tag: "],
    ["`code`"],
    ["A ` alone.\n"],
    ["<!-- no --><![CDATA[<]]>"],
    ["<result> is a tag. "],
  ])("a query after text that looks like one is found: %j", async (before) => {
    expect(await shown(before + asks())).toEqual({ text: before, calls: [query()] });
  });

  test("a query in thoughts of the provider stays text, whatever is in them", async () => {
    expect(await readParts([think(asks()), content("a <tool"), think("b"), content("c")])).toEqual([
      { other: "think" },
      "a <tool",
      { other: "think" },
      "c",
    ]);
  });
});
