import { expect, test } from "vitest";
import { queryTags, withSystem, withTag } from "../src/rewrite.js";
import { brokenRules } from "../src/rules.js";
import { fill, query, said, trajectoryOf, written } from "./kept-session.js";

test("queries are called by one name, and a person's words stay (P-TRJ-8)", async () => {
  const other = query({ written: written.query.replaceAll("tool_param", "param_query") }, "q-2");
  const read = await trajectoryOf([query(), other, fill(), "text: Done."], ["use <tool_param> now"]);
  for (const tag of queryTags) {
    const renamed = withTag(read, tag);
    const queries = said(renamed).filter((text) => text.startsWith(`assistant: <${tag}><tool_id>`));
    expect(queries).toHaveLength(2);
    expect(said(renamed)[0]).toBe("user: use <tool_param> now");
    expect(brokenRules(renamed)).toEqual([]);
    expect(withTag(renamed, "tool_param")).toEqual(withTag(read, "tool_param"));
  }
});

test("the system message is set, and takes the place of another (P-TRJ-8)", async () => {
  const read = await trajectoryOf(["text: Done."]);
  const short = withSystem(withSystem(read, "long"), "short");
  expect(short.messages).toEqual([{ role: "system", content: "short", loss: false }, ...read.messages]);
  expect(brokenRules(short)).toEqual([]);
});
