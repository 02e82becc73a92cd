import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// The sources of our own packages, so that tests need no build, then Vite's defaults for Node.
const conditions = ["@askwire/source", "module", "node", "development|production"];

const absolute = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The files that take longest. A small file that started last would be waited for alone. */
const longest = [
  "packages/conformance-tests/test/client-suite.test.ts",
  "apps/cli/test/commands/conformance.test.ts",
  "packages/conformance-tests/test/test-your-client.test.ts",
  "apps/vscode/test/drive/drive.test.ts",
  "packages/conformance-tests/test/transports.test.ts",
  "apps/cli/test/mcp/mcp.test.ts",
  "apps/web/test/answers.test.ts",
  "apps/vscode/test/sessions.test.ts",
  "apps/vscode/test/inside/inside.test.ts",
  "apps/cli/test/sessions/sessions.test.ts",
  "examples/test/packages.test.ts",
  "packages/conformance-tests/test/python-server.test.ts",
  "apps/web/test/conversation.test.ts",
  "apps/web/test/page.test.ts",
  "apps/web/test/drafts.test.ts",
  "apps/cli/test/commands/serve.test.ts",
  "examples/test/react-package.test.ts",
  "packages/conformance-tests/test/server-extended-faults.test.ts",
  "packages/conformance-tests/test/durable/resume.test.ts",
];

/** Starts the longest files first, also where no earlier run says how long each took. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((name) => moduleId.endsWith(name));
      return found < 0 ? longest.length : found;
    };
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

const kept = join(tmpdir(), `askwire-tests-${process.pid}`);
process.on("exit", () => rmSync(kept, { recursive: true, force: true }));

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // One project for all, since each would read and change the same sources for itself: two minutes of a core.
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "examples/test/**/*.test.ts"],
    // Programs that tests start load bundles, so these are made first.
    globalSetup: [absolute("scripts/bundle.mjs"), absolute("apps/cli/build.mjs")],
    setupFiles: [absolute("scripts/fail-on-console.ts")],
    passWithNoTests: true,
    // Time on the clock, which passes more quickly than a busy machine works: only what hangs takes so long.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    sequence: { sequencer: LongestFirst },
    // What is loaded stays loaded from one file to the next, so a test takes back what it changes of its process.
    isolate: false,
    env: {
      // What the command keeps of its sessions stays out of the home directory, and it speaks English.
      ASKWIRE_HOME: kept,
      KIMI_SHARE_DIR: kept,
      // Compiled code of other builds would push out ours, since few files are kept.
      XDG_CACHE_HOME: kept,
      LC_ALL: "C.UTF-8",
      // The process at whose end the engine of the tests ends too (scripts/postgres-engine.ts).
      ASKWIRE_TEST_RUN: String(process.pid),
      // Certificates of the machine triple what a start of Node costs, and tests start thousands: loopback needs none.
      NODE_EXTRA_CA_CERTS: "",
      CERTIFICATES_TO_INSTALL_WITH: process.env["NODE_EXTRA_CA_CERTS"] ?? "",
    },
    // More than two cores: many tests wait for another process.
    maxWorkers: 4,
  },
});
