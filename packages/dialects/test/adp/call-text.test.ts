import type { ModelPart } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { MAX_ELEMENT } from "../../src/adp/text-event.js";
import { asks, calls, execute } from "./adp-scene.js";
import { content, read, reader, readParts, shown, think } from "./reader-scene.js";

const args = '{"code": "print(1 < 2)"}';
const call = { name: "microsandbox_execute", args };
const query = {
  name: "param_query",
  args: JSON.stringify({ tool_id: "microsandbox", action: "microsandbox_execute" }),
};
const fake = '\n<result>\n{"status": "success"}\n</result>\n';
const notExecuted = { not_executed: ["microsandbox.microsandbox_execute"] };

describe("a call in the text", () => {
  test.each<[string, string, string]>([
    ["as the seed writes it", calls(args), args],
    [
      "in one line",
      `<microsandbox><microsandbox_execute>${args}</microsandbox_execute></microsandbox>`,
      args,
    ],
    ["in another case, with other separators", calls(args, "Micro-Sandbox", "Microsandbox.Execute"), args],
    ["by its aliases", calls(args, "sandbox", "run_code"), args],
    [
      "with attributes",
      `<microsandbox a='>'><microsandbox_execute b>${args}</microsandbox_execute ></microsandbox >`,
      args,
    ],
    ["in CDATA", calls("<![CDATA[print('</microsandbox_execute>')]]>"), "print('</microsandbox_execute>')"],
    ["with tags in it", calls('{"code": "<b>x</b></tool_param>"}'), '{"code": "<b>x</b></tool_param>"}'],
    ["with nothing in it", calls(""), ""],
    ["with an open service", calls(args).replace("\n</microsandbox>", ""), args],
  ])("a call is found in the text %s", async (_, text, given) => {
    expect(await shown(`Now.\n${text}${execute}`)).toEqual({
      text: "Now.\n",
      calls: [{ name: "microsandbox_execute", args: given }],
    });
  });

  test("a call is remembered with the tag that executes it, which is added where it is missing", async () => {
    const written = `${calls(args)}${execute}`;
    expect(await read(written)).toEqual([{ ...call, written, remembered: written }]);
    const long = `${calls(args)}\n<execute_tools></execute_tools>`;
    expect(await read(long)).toEqual([{ ...call, written: long, remembered: long }]);
    expect(await read(`${calls(args)}\n`)).toEqual([
      { ...call, written: calls(args), remembered: calls(args) },
      { written: execute },
    ]);
  });

  test("a message may have several calls, of one service or more", async () => {
    const both =
      "<microsandbox><list_sessions/><microsandbox_execute>{}</microsandbox_execute></microsandbox>\n<browser_use><browser_click>{}</browser_click></browser_use>";
    const parts = await read(both + execute);
    expect(parts).toMatchObject([
      { name: "list_sessions", args: "" },
      { name: "microsandbox_execute", args: "{}" },
      { name: "browser_click", args: "{}" },
    ]);
    expect(parts.map((part) => (part as { remembered: string }).remembered).join("")).toBe(both + execute);
  });

  test("the tag that executes a call ends the message: nothing after it is read", async () => {
    expect(await shown(`${calls(args)}${execute}\nIt says 1.${fake}${asks()}`)).toEqual({
      text: "",
      calls: [call],
    });
  });

  test("a long call that comes in small pieces is one call (P-ADP-4)", async () => {
    const long = calls(`{"code": "${"x".repeat(200_000)}"}`);
    const [made] = await read(...(long.match(/[\s\S]{1,4}/g) ?? []));
    expect(made).toMatchObject({ name: "microsandbox_execute", remembered: long });
  });

  test("a call that is too long, or followed by too much, ends the message (P-ADP-4)", async () => {
    const open = "<microsandbox><microsandbox_execute>";
    const { text, calls: made } = await shown(`${open}${"x".repeat(MAX_ELEMENT)} and more ${asks()}`);
    expect({ text, made }).toMatchObject({ text: "", made: [{ name: "param_query", unread: true }] });
    expect((await shown(`${calls(args)}${"so ".repeat(30_000)}<b>${asks()}`)).calls).toEqual([call]);
  });

  test("a call that another part interrupts does not run (P-ADP-4)", async () => {
    const half = calls(args).slice(0, 60);
    expect(await readParts([content(half), think("hm"), content(calls(args).slice(60))])).toMatchObject([
      { name: "param_query", more: { unread: true } },
    ]);
  });

  test("a call keeps its place among the text around it", async () => {
    expect(await read(`a ${calls(args)} b`)).toEqual([
      "a ",
      { ...call, written: calls(args), remembered: calls(args) },
      " b",
      { written: execute },
    ]);
  });

  test.each<[string, string, string]>([
    ["of an action that is not there", calls(args, "microsandbox", "microsandbox_run"), "microsandbox_run"],
    ["that is not closed", `<microsandbox><microsandbox_execute>{"code": "rm`, "microsandbox_execute"],
  ])("a call %s runs nothing, and its result asks for the parameters", async (_, text, action) => {
    expect(await shown(text)).toEqual({
      text: "",
      calls: [
        {
          name: "param_query",
          args: JSON.stringify({ tool_id: "microsandbox", action }),
          not_executed: [`microsandbox.${action}`],
          unread: true,
        },
      ],
    });
  });

  test.each<[string, string]>([
    ["of no known service", calls(args, "nowhere")],
    ["of which only the service is there", "The <microsandbox> service runs Python. <b>So</b>"],
    [
      "of which the service is closed at once",
      "<microsandbox></microsandbox> <microsandbox/> </microsandbox>",
    ],
    ["of which the service is left for another tag", "<microsandbox> <result>"],
    ["in a fence", `\`\`\`\n${calls(args)}\n\`\`\`\n`],
  ])("text is no call %s", async (_, text) => {
    expect(await read(text)).toEqual([text]);
  });
});

describe("a query and a call in one message: the call is not executed, and that is told (P-ADP-6)", () => {
  test.each<[string, string]>([
    ["after the query", `${asks()}\n${calls(args)}${execute}\nThe search results indicate that`],
    ["after the query, by an alias", `${asks()}${calls(args, "Sandbox", "run-code")}`],
    ["after the query, only begun", `${asks()}<microsandbox><microsandbox_execute>`],
    ["before the query", `${calls(args)}\n${asks()}`],
    ["before the query, with words between", `${calls(args)}\nNo, first:\n${asks()}`],
  ])("a call beside a query is not executed, and the model is told so: %s", async (_, text) => {
    const { calls: made } = await shown(text);
    expect(made).toEqual([{ ...query, ...notExecuted }]);
  });

  test("calls before and after a query are both named, and not executed", async () => {
    const text = `${calls("{}", "browser_use", "browser_click")}${asks()}${calls(args)}`;
    expect((await shown(text)).calls).toEqual([
      { ...query, not_executed: ["browser_use.browser_click", "microsandbox.microsandbox_execute"] },
    ]);
  });

  test("the text after a query with a call is neither shown nor remembered; the text before it is both", async () => {
    expect(await read(`First. ${calls(args)} Then ${asks()}\nDone. ${calls(args)}`)).toEqual([
      "First. ",
      { written: calls(args) },
      " Then ",
      { ...query, written: asks(), remembered: asks(), more: notExecuted },
    ]);
  });

  test("a call of a provider's tool after the query is not executed", async () => {
    const other: ModelPart = {
      type: "tool_call",
      call: { type: "function", id: "tc", function: { name: "shell", arguments: "{}" }, extras: null },
    };
    expect(await readParts([content(asks()), other, content("more")])).toMatchObject([
      { ...query, more: { not_executed: ["shell"] } },
    ]);
  });
});

describe("a result that the model wrote", () => {
  test("a result that the model wrote after a query is neither shown nor remembered, nor is what follows it", async () => {
    expect(await read(`${asks()}${fake}The results say so.${asks("browser_use", "browser_click")}`)).toEqual([
      { ...query, written: asks(), remembered: asks(), more: { stripped_result: true } },
    ]);
  });

  test("a result that the model wrote after a call ends the message, and the call runs", async () => {
    expect(await shown(`${calls(args)}${fake}It says 1.`)).toEqual({
      text: "",
      calls: [{ ...call, stripped_result: true }],
    });
  });

  test("a result that the model wrote elsewhere is taken out of the text, and reported with the next call", async () => {
    expect(await read(`So${fake}it is.`)).toEqual(["So\n\nit is."]);
    expect((await shown(`So${fake}${asks()}`)).calls).toEqual([{ ...query, stripped_result: true }]);
  });

  test.each<[string, string]>([
    ["in a fence", `\`\`\`${fake}\`\`\`\n`],
    ["in backticks", "`<result>a</result>`"],
    ["in a thought", "<think><result>a</result></think>"],
    ["of which only the tag is there", "The <result> tag has it."],
  ])("a result that the model wrote stays text %s", async (_, text) => {
    expect(await read(text)).toEqual([text]);
  });
});

test("the tag that executes, without a call, is not shown", async () => {
  expect(await read("Done. <execute_tools />")).toEqual(["Done. ", { written: "<execute_tools />" }]);
});

test("a provider's counts are passed on wherever they come", async () => {
  const usage = { input_other: 1, output: 2, input_cache_read: 0, input_cache_creation: 0 };
  const parts: ModelPart[] = [
    { type: "message_id", id: "m" },
    content(asks().slice(0, 20)),
    { type: "usage", usage },
    content(asks().slice(20)),
  ];
  expect(await readParts(parts)).toMatchObject([{ other: "message_id" }, { other: "usage" }, query]);
});

test("an answer that ends with its query reads nothing further of the model", async () => {
  let pieces = 0;
  let closed = false;
  async function* stream(): AsyncGenerator<ModelPart> {
    try {
      for (const text of [asks(), "\n", "And now", " the rest"]) {
        pieces += 1;
        yield content(text);
      }
    } finally {
      closed = true;
    }
  }
  const given: ModelPart[] = [];
  for await (const part of reader().read(stream())) given.push(part);
  expect({ pieces, closed, calls: given.filter(({ type }) => type === "tool_call").length }).toEqual({
    pieces: 3,
    closed: true,
    calls: 1,
  });
});
