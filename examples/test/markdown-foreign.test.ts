import { Markdown } from "@askwire/react/markdown";
import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>",
        "</div>",
      ],
      ...[
        "[a](javascript:alert(1))",
        "[b](JaVaScRiPt:alert(1))",
        "[c](data:text/html,x)",
        "![d](https://example.com/x)",
      ],
      ...[
        '[e](https://example.com "t")',
        "<https://example.com>",
        "<javascript:alert(1)>",
        "[f]",
        "[f]: vbscript:x",
      ],
      ...[
        "[g]: https://example.com 'x'",
        "[g][g]",
        "http://example.com",
        "a@example.com",
        "&lt;b&gt;",
        "&#106;avascript:",
      ],
      ...[
        "[h](&#106;avascript:alert(1))",
        "[i](java\tscript:alert(1))",
        "[j](//example.com)",
        "`<b>`",
        "```\n<b>\n```",
      ],
      ...[
        "# ",
        "> ",
        "- ",
        "1. ",
        "| a |\n|-|\n| <b> |",
        "**",
        "_",
        "\n\n",
        "\n",
        "  ",
        "\u202e",
        "\u0000",
        "\\",
      ],
    ),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 20 },
);

const elements =
  /^(?:div|p|h[3-6]|ul|ol|li|blockquote|pre|code|table|thead|tbody|tr|th|td|hr|br|strong|em|del|a|bdi|span)$/;

test("Markdown from any text has only elements of Markdown, links of the web and of mail, and nothing invisible", () => {
  fc.assert(
    fc.property(pieces, (all) => {
      const html = renderToStaticMarkup(createElement(Markdown, { text: all.join("") }));
      for (const [, name = "", attributes = ""] of html
        .replace(/="[^"]*"/g, "=")
        .matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)) {
        expect(name).toMatch(elements);
        const names = [...attributes.matchAll(/\s([a-z-]+)=/g)].map(([, attribute]) => attribute);
        expect(
          names.filter(
            (one) =>
              !/^(?:class|dir|role|aria-label|tabindex|href|title|rel|target|scope|start)$/.test(one ?? ""),
          ),
        ).toEqual([]);
      }
      for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:|mailto:)/);
      for (const unseen of ["\u202e", "\u0000"]) expect(html).not.toContain(unseen);
    }),
    { numRuns: 1_000 },
  );
});
