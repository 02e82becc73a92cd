import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { sampleValue } from "../../../../packages/server/test/measures/exposed.js";
import { askwire, startAskwire } from "../askwire.js";
import { placeWithDatabase } from "./in-database.js";

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), "../../../../docs/company.md"),
  "utf8",
);

/** The lines of a block of the page. */
function block(name: string): string[] {
  const [, lines] = new RegExp(`<!-- company: ${name} -->\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(page) ?? [];
  if (lines === undefined) throw new Error(`docs/company.md has no block ${name}`);
  return lines.split("\n");
}

/** The words of a command of the page, as a shell would have them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? "");

test("docs/company.md leads from a database to an answer in Ann's name, its record and its metrics", async () => {
  const { cwd, env, store, rows } = await placeWithDatabase();
  const home = { ASKWIRE_HOME: env.ASKWIRE_HOME };
  const run = (line: string) => {
    const [program, ...args] = wordsOf(line);
    expect(program).toBe("askwire");
    return askwire(args, { cwd, env: home });
  };
  for (const line of block("people")) {
    const [command = "", file = ""] = line.split(" > ");
    const { status, stdout } = await run(command);
    expect(status).toBe(0);
    await writeFile(join(cwd, file), stdout, { mode: 0o600 });
  }
  const [, password = ""] = /'%s\\n' '(.*)' > db\.txt/.exec(block("secrets").join("\n")) ?? [];
  await writeFile(join(cwd, "db.txt"), `${password}\n`, { mode: 0o600 });

  // Free ports, and the schema of this test.
  const [serveLine = ""] = block("serve");
  const served = wordsOf(serveLine.replace(/127\.0\.0\.1:8080/, "127.0.0.1:0").replace(/9464/, "0"));
  const args = served.slice(1).map((word) => (word.startsWith("postgres://") ? (store[1] ?? "") : word));
  const server = startAskwire([...args, ...store.slice(2)], { cwd, env });
  const printed = (stream: NodeJS.ReadableStream, pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      let text = "";
      stream.on("data", (piece: string) => {
        text += piece;
        const found = pattern.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      void server.ended.then(({ stderr }) => reject(new Error(stderr)));
    });
  const [host, metrics] = await Promise.all([
    printed(server.child.stdout, /^ws:\/\/([^/]+)\/wire\/desk/m),
    printed(server.child.stderr, /metrics at (http:\S+)\/metrics/),
  ]);
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const at = (name: string) => (block(name)[0] ?? "").replace("127.0.0.1:8080", host);

  const asked = run(at("ask"));
  await expect.poll(async () => (await run(at("see"))).stdout).toContain("Deploy release 42?");
  const listed = await run(`${at("see")} --json`);
  const [, id = ""] = /"request_id":"([^"]+)"/.exec(listed.stdout) ?? [];
  expect(await run(at("answer").replace("ID", id))).toMatchObject({ status: 0 });
  expect(await asked).toMatchObject({ status: 0, stdout: "Yes\n" });

  const sql = block("audit").join(" ").replace("askwire.decision", "$schema.decision");
  expect(await rows(sql)).toMatchObject([
    { who: "Ann", via: "token", asked: "Deploy release 42?", answer: "Yes" },
  ]);
  for (const line of block("metrics")) {
    const address = line.replace("curl -s ", "").replace("http://127.0.0.1:9464", metrics);
    const reply = await fetch(address);
    expect(reply.status).toBe(200);
    const text = await reply.text();
    if (address.endsWith("/metrics"))
      expect(sampleValue(text, "askwire_request_outcomes_total", { status: "answered", by: "person" })).toBe(
        1,
      );
  }
});
