import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { imports, root, sources } from "./imports.js";

/** Imports run downwards only. What a folder may import beside its own files; `node` is Node's own modules. */
const rules: { from: string; mayImport: string[]; not?: string[] }[] = [
  {
    from: "packages/protocol/src",
    not: ["packages/protocol/src/node", "packages/protocol/src/vscode-jsonrpc"],
    mayImport: ["uuid", "zod/mini"],
  },
  { from: "packages/protocol/src/node", mayImport: ["node", "zod/mini"] },
  { from: "packages/protocol/src/vscode-jsonrpc", mayImport: ["node", "vscode-jsonrpc"] },
  {
    from: "packages/server/src",
    mayImport: [
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/protocol/node",
      "@askwire/protocol/vscode-jsonrpc",
      "node",
      "@cfworker/json-schema",
      "pino",
      "ws",
      "zod",
      "zod/mini",
    ],
  },
  {
    from: "packages/dialects/src",
    mayImport: [
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/server",
      "@askwire/server/internal",
      "node",
      "zod/mini",
    ],
  },
  {
    from: "packages/agent/src",
    mayImport: [
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/server",
      "@askwire/server/internal",
      "ai",
      "node",
      "zod/mini",
    ],
  },
  {
    from: "packages/interview/src",
    mayImport: [
      "@askwire/agent/internal",
      "@askwire/agent/work-folder",
      "@askwire/dialects/kimi",
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/server",
      "@askwire/server/internal",
      "liquidjs",
      "node",
      "yaml",
      "zod",
      "zod/mini",
    ],
  },
  {
    from: "packages/trajectory/src",
    mayImport: [
      "@askwire/dialects/internal",
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/server",
      "@askwire/server/internal",
      "node",
      "zod/mini",
    ],
  },
  {
    from: "packages/postgres/src",
    mayImport: [
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/server",
      "@askwire/server/internal",
      "node",
      "pg",
    ],
  },
  {
    from: "packages/adapters/src",
    mayImport: [
      "@askwire/client",
      "@askwire/client/json-schema",
      "@askwire/protocol",
      "@askwire/protocol/internal",
      // Of the adapter of Claude alone, whose SDK starts a program.
      "node",
    ],
  },
  {
    from: "packages/relays/src",
    mayImport: [
      "@agentclientprotocol/sdk",
      "@agentclientprotocol/sdk/experimental/v2",
      "@askwire/agent/internal",
      "@askwire/agent/work-folder",
      "@askwire/client",
      "@askwire/client/json-schema",
      "@askwire/client/stdio",
      "@askwire/client/text",
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/protocol/node",
      "@askwire/server",
      "@askwire/server/internal",
      "@modelcontextprotocol/client",
      "@modelcontextprotocol/client/stdio",
      "@modelcontextprotocol/client/validators/cf-worker",
      "node",
    ],
  },
  {
    from: "packages/react/src",
    mayImport: [
      "@askwire/client",
      "@askwire/client/form",
      "@askwire/client/text",
      "@askwire/client/websocket",
      "@askwire/client/words",
      "@askwire/client/words/en",
      "@askwire/client/words/changes",
      "@askwire/client/words/inbox",
      "@askwire/protocol",
      "@askwire/protocol/fields",
      "@askwire/protocol/internal",
      "@speed-highlight/core/languages/bash.js",
      "@speed-highlight/core/languages/c.js",
      "@speed-highlight/core/languages/css.js",
      "@speed-highlight/core/languages/diff.js",
      "@speed-highlight/core/languages/docker.js",
      "@speed-highlight/core/languages/go.js",
      "@speed-highlight/core/languages/html.js",
      "@speed-highlight/core/languages/java.js",
      "@speed-highlight/core/languages/js.js",
      "@speed-highlight/core/languages/json.js",
      "@speed-highlight/core/languages/py.js",
      "@speed-highlight/core/languages/rs.js",
      "@speed-highlight/core/languages/sql.js",
      "@speed-highlight/core/languages/toml.js",
      "@speed-highlight/core/languages/ts.js",
      "@speed-highlight/core/languages/xml.js",
      "@speed-highlight/core/languages/yaml.js",
      "@speed-highlight/core/tokenize",
      "diff",
      "marked",
      "react",
    ],
  },
  {
    from: "packages/client/src",
    not: [
      "packages/client/src/stdio.ts",
      "packages/client/src/gateway.ts",
      "packages/client/src/gateway",
      "packages/client/src/vscode-jsonrpc.ts",
      "packages/client/src/process",
      "packages/client/src/sockets/node.ts",
    ],
    mayImport: [
      "@askwire/protocol",
      "@askwire/protocol/fields",
      "@askwire/protocol/internal",
      "#checks",
      "#open-socket",
    ],
  },
  {
    from: "packages/client/src/stdio.ts",
    mayImport: ["@askwire/protocol", "@askwire/protocol/internal", "@askwire/protocol/node", "node"],
  },
  {
    from: "packages/client/src/gateway.ts",
    mayImport: ["@askwire/protocol/internal", "@askwire/protocol/node"],
  },
  {
    from: "packages/client/src/gateway",
    mayImport: ["@askwire/protocol", "@askwire/protocol/node", "node"],
  },
  {
    from: "packages/client/src/vscode-jsonrpc.ts",
    mayImport: ["#checks", "@askwire/protocol/vscode-jsonrpc"],
  },
  {
    from: "packages/client/src/process",
    mayImport: ["@askwire/protocol", "@askwire/protocol/node", "node"],
  },
  {
    from: "packages/client/src/sockets/node.ts",
    mayImport: ["@askwire/protocol", "@askwire/protocol/node", "node", "ws"],
  },
  {
    from: "packages/conformance-tests/src",
    mayImport: ["@askwire/protocol", "@askwire/protocol/node", "node", "zod", "zod/mini"],
  },
  {
    from: "apps/web/src",
    mayImport: [
      "@askwire/client",
      "@askwire/client/decisions",
      "@askwire/client/drafts",
      "@askwire/client/form",
      "@askwire/client/push-words",
      "@askwire/client/text",
      "@askwire/client/words",
      "@askwire/client/words/page",
      "@askwire/client/websocket",
      "@askwire/protocol",
      "@askwire/react",
      "@askwire/react/approval",
      "@askwire/react/cards",
      "@askwire/react/code",
      "@askwire/react/inbox",
      "@askwire/react/markdown",
      "@noble/ciphers/chacha.js",
      "idb-keyval",
      "uqr",
      "react",
      "react-dom/client",
    ],
  },
  {
    from: "apps/vscode/src",
    not: ["apps/vscode/src/webview"],
    mayImport: [
      "@askwire/client",
      "@askwire/client/form",
      "@askwire/client/stdio",
      "@askwire/client/text",
      "@askwire/client/words",
      "@askwire/client/websocket",
      "@askwire/protocol",
      "@askwire/protocol/fields",
      "@askwire/protocol/node",
      "@askwire/react/stores",
      "node",
      "vscode",
      "zod/mini",
    ],
  },
  {
    from: "apps/vscode/src/webview",
    mayImport: [
      "@askwire/client/text",
      "@askwire/client/words",
      "@askwire/react",
      "@askwire/react/code",
      "@askwire/react/markdown",
      "react",
      "react-dom/client",
      "zod/mini",
    ],
  },
  {
    from: "apps/cli/src/panel",
    mayImport: [
      "@askwire/client",
      "@askwire/client/form",
      "@askwire/client/text",
      "@askwire/client/words",
      "@askwire/protocol",
      "node",
      "string-width",
    ],
  },
  {
    from: "apps/cli/src",
    not: ["apps/cli/src/panel"],
    mayImport: [
      "@askwire/adapters/claude",
      "@askwire/agent",
      "@askwire/agent/ai",
      "@askwire/agent/work-folder",
      "@askwire/dialects",
      "@askwire/dialects/internal",
      "@askwire/dialects/kimi",
      "@askwire/relays",
      "@askwire/relays/acp",
      "@askwire/relays/mcp",
      "@askwire/server/internal",
      "@askwire/client",
      "@askwire/client/decisions",
      "@askwire/client/form",
      "@askwire/client/gateway",
      "@askwire/client/push-words",
      "@askwire/client/stdio",
      "@askwire/client/text",
      "@askwire/client/words",
      "@askwire/client/websocket",
      "@askwire/conformance-tests",
      // Its types alone: where it is installed it is loaded at run time.
      "@askwire/postgres",
      "@askwire/protocol",
      "@askwire/protocol/internal",
      "@askwire/protocol/node",
      "@askwire/react/blocks",
      "@askwire/react/code",
      "@askwire/server",
      "@askwire/interview",
      "@askwire/trajectory",
      "@askwire/server/metrics",
      "@askwire/server/websocket",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
      "@ai-sdk/openai-compatible",
      "@commander-js/extra-typings",
      "ai",
      "diff",
      "jsonc-parser",
      "node",
      "smol-toml",
      "string-width",
      "uqr",
      "yaml",
      "zod/mini",
      "web-push",
    ],
  },
];

describe("imports run downwards only", () => {
  for (const { from, not = [], mayImport } of rules) {
    const files = sources(from).filter((file) => !not.some((folder) => file.startsWith(folder)));

    test(`${from} imports nothing but what it may`, () => {
      expect(files).not.toHaveLength(0);
      const allowed = new Set(mayImport);
      for (const file of files) {
        for (const name of imports(file)) {
          if (name.startsWith(".")) {
            const target = relative(root, join(root, dirname(file), name));
            expect(target, `${file} imports ${name}`).toMatch(/^(packages|apps)\/[^/]+\/(src|interviews)\//);
            expect(target.split("/")[1]).toBe(from.split("/")[1]);
          } else if (name.startsWith("node:") || builtinModules.includes(name)) {
            expect(allowed.has("node"), `${file} imports ${name}`).toBe(true);
          } else {
            expect([...allowed], `${file} imports ${name}`).toContain(name);
          }
        }
      }
    });
  }
});
