import bash from "@speed-highlight/core/languages/bash.js";
import c from "@speed-highlight/core/languages/c.js";
import css from "@speed-highlight/core/languages/css.js";
import diff from "@speed-highlight/core/languages/diff.js";
import docker from "@speed-highlight/core/languages/docker.js";
import go from "@speed-highlight/core/languages/go.js";
import html from "@speed-highlight/core/languages/html.js";
import java from "@speed-highlight/core/languages/java.js";
import js from "@speed-highlight/core/languages/js.js";
import json from "@speed-highlight/core/languages/json.js";
import py from "@speed-highlight/core/languages/py.js";
import rs from "@speed-highlight/core/languages/rs.js";
import sql from "@speed-highlight/core/languages/sql.js";
import toml from "@speed-highlight/core/languages/toml.js";
import ts from "@speed-highlight/core/languages/ts.js";
import xml from "@speed-highlight/core/languages/xml.js";
import yaml from "@speed-highlight/core/languages/yaml.js";
import { type ShjLanguageData, type ShjToken, tokenizeWith } from "@speed-highlight/core/tokenize";
import type { CodeKind, CodeSpan } from "../looks/coloured.js";
import { type Grammar, grammarOf } from "./grammar-of.js";

const all = { bash, c, css, diff, docker, go, html, java, js, json, py, rs, sql, toml, ts, xml, yaml };
// The types of the grammars are looser than those of their reader.
const languages = all as unknown as Readonly<Record<Grammar, ShjLanguageData>>;

/** The kind of each token. Others, such as operators, are as plain as the rest. */
const kinds: Partial<Record<ShjToken, CodeKind>> = {
  ...{ kwd: "word", str: "text", esc: "text", insert: "text", num: "num", bool: "num" },
  ...{ func: "name", class: "name", type: "name", var: "name", section: "name" },
  ...{ cmnt: "note", deleted: "num" },
};

/**
 * Cuts code into parts of one kind each, which together are the code. The time grows with the square of some texts,
 * such as long runs of one letter or of blanks: foreign code belongs into a worker, as `codeColours` does it.
 *
 * @param language its name as behind the fence of a code block, such as `ts` or `python`.
 * @returns undefined for a language without colours.
 */
export function codeSpans(code: string, language: string): readonly CodeSpan[] | undefined {
  const grammar = grammarOf(language);
  if (grammar === undefined) return undefined;
  const spans: CodeSpan[] = [];
  tokenizeWith(
    code,
    languages[grammar],
    (text, token) => {
      const kind = token && kinds[token];
      const last = spans.at(-1);
      if (last !== undefined && last[1] === kind) spans[spans.length - 1] = withKind(last[0] + text, kind);
      else if (text !== "") spans.push(withKind(text, kind));
    },
    { languages },
  );
  return spans;
}

const withKind = (text: string, kind: CodeKind | undefined): CodeSpan =>
  kind === undefined ? [text] : [text, kind];
