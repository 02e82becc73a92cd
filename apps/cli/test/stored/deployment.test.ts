// Starts what examples/deploy describes, with the addresses, ports and files of the test in the place of its own.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { freePort } from "../../../../scripts/free-port.js";
import { askwire, folderWith, startAskwire } from "../askwire.js";
import { hasNginx, runNginx } from "../reach/run-nginx.js";
import { placeWithDatabase } from "./in-database.js";

const folder = new URL("../../../../examples/deploy/", import.meta.url);
const textOf = (name: string) => readFileSync(new URL(name, folder), "utf8");
const page = readFileSync(new URL("../../../../docs/deploy.md", import.meta.url), "utf8");

const compose = parse(textOf("compose.yaml"), { merge: true });
const [deployment, service] = parseAllDocuments(textOf("kubernetes.yaml")).map((document) => document.toJS());
const [container] = deployment.spec.template.spec.containers;
const unit = textOf("askwire.service").replaceAll("\\\n", "");
const settings = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value ?? "");

/** The words of `askwire` with which each node is started, by the file that says so. */
const nodes: readonly [file: string, words: readonly string[]][] = [
  ["compose.yaml, ask-1", compose.services["ask-1"].command.trim().split(/\s+/)],
  ["compose.yaml, ask-2", compose.services["ask-2"].command.trim().split(/\s+/)],
  [
    "kubernetes.yaml",
    container.args.flatMap((arg: string) => /^(--[\w-]+)=(.*)$/.exec(arg)?.slice(1) ?? arg),
  ],
  ["askwire.service", settings("ExecStart")[0]?.trim().split(/\s+/).slice(1) ?? []],
];

/** The value of an option. */
const given = (words: readonly string[], option: string) => words[words.indexOf(option) + 1] ?? "";

/** A node of a file, at a port of this machine, on the schema of the test. */
async function startNode(words: readonly string[], { cwd, env, store }: Awaited<ReturnType<typeof placed>>) {
  const port = await freePort();
  const here: Record<string, string> = {
    "--listen": `127.0.0.1:${port}`,
    "--node-address": `ws://127.0.0.1:${port}`,
    "--metrics": "127.0.0.1:0",
    "--store": store[1] ?? "",
  };
  const args = words.map((word, index) => {
    const option = words[index - 1] ?? "";
    return option.endsWith("-file") ? basename(word) : (here[option] ?? word);
  });
  const { child, ended } = startAskwire([...args, ...store.slice(2)], { cwd, env });
  let said = "";
  child.stderr.on("data", (piece: string) => {
    said += piece;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const measured = () => /metrics at (http:\S+)\/metrics/.exec(said)?.[1];
  const over = ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  await Promise.race([over, expect.poll(measured).toBeDefined()]);
  const metrics = measured() ?? "";
  await expect.poll(async () => (await fetch(`${metrics}/readyz`)).status).toBe(200);
  return { port, child, ended, metrics };
}

/** A folder with the secrets that docs/deploy.md makes. */
async function placed() {
  const place = await placeWithDatabase();
  const names = [...page.matchAll(/> secrets\/(\w+)$/gm)].map(([, name]) => name ?? "");
  const cwd = await folderWith(
    Object.fromEntries(names.map((name) => [name, `${name}-${"x".repeat(40)}\n`])),
  );
  for (const name of names) await chmod(join(cwd, name), 0o600);
  return { ...place, cwd };
}

describe("examples/deploy", () => {
  test.each(nodes)("the node of %s does not start and become ready", async (_file, words) => {
    const place = await placed();
    const { child, ended, metrics, port } = await startNode(words, place);
    for (const path of ["/healthz", "/readyz"]) expect((await fetch(metrics + path)).status).toBe(200);
    // The address that others are told is the one at which it listens.
    const [, told = ""] = /:(\d+)$/.exec(given(words, "--node-address")) ?? [];
    expect(given(words, "--listen")).toBe(`0.0.0.0:${told}`);
    expect(await addressOf(place.rows)).toBe(`ws://127.0.0.1:${port}`);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0 });
  });

  test("two nodes behind nginx do not answer a question whose node is stopped, under its id and once", async () => {
    const place = await placed();
    const [[, one = []] = ["", []], [, two = []] = ["", []]] = nodes;
    const [first, second] = [await startNode(one, place), await startNode(two, place)];
    const port = hasNginx ? await behindNginx([first.port, second.port]) : second.port;
    const at = `${hasNginx ? "wss" : "ws"}://localhost:${port}/wire/desk`;
    const run = (...args: string[]) =>
      askwire([...args, "--connect", at, "--token-file", "token"], {
        cwd: place.cwd,
        env: { ...place.env, NODE_EXTRA_CA_CERTS: certificate },
      });
    const asking = run(
      "ask",
      "--key",
      "42",
      "--print",
      "label",
      "--question",
      "Go?",
      "--option",
      "Yes",
      "--option",
      "No",
    );
    const waiting = async () => idIn((await run("inbox", "--once", "--json")).stdout);
    // A node hears of what waits at others within seconds.
    let id: string | undefined;
    await expect
      .poll(async () => {
        id = await waiting();
        return id;
      })
      .toBeDefined();
    first.child.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ status: 0 });
    await expect.poll(waiting).toBe(id);
    expect(await run("inbox", "answer", id ?? "", "--choose", "Yes")).toMatchObject({ status: 0 });
    expect(await asking).toMatchObject({ status: 0, stdout: "Yes\n" });
    expect(await place.rows("select who, answer from $schema.decision")).toMatchObject([{ answer: "Yes" }]);
  });

  test("compose.yaml names secrets, services or ports that are not there", () => {
    const { services, secrets, volumes } = compose;
    for (const name of ["ask-1", "ask-2"]) {
      const words = nodes.find(([file]) => file.endsWith(name))?.[1] ?? [];
      expect(given(words, "--node-address")).toBe(`ws://${name}:8080`);
      const files = words.filter((word) => word.startsWith("/run/secrets/")).map((word) => basename(word));
      expect(services[name].secrets.toSorted()).toEqual(files.toSorted());
      expect(services[name].healthcheck.test.join(" ")).toContain(`:${given(words, "--metrics")}/readyz`);
      expect(textOf("nginx.conf")).toContain(`server ${name}:8080 `);
      expect(textOf("Dockerfile")).toContain(`ASKWIRE_HOME=${services[name].volumes[0].split(":")[1]}`);
    }
    expect(Object.values(services).flatMap((one) => (one as { secrets?: string[] }).secrets ?? [])).toEqual(
      expect.arrayContaining(Object.keys(secrets)),
    );
    const used = Object.values(services).flatMap((one) => (one as { volumes?: string[] }).volumes ?? []);
    for (const name of Object.keys(volumes)) expect(used.join(" ")).toContain(`${name}:`);
    for (const name of Object.keys(secrets)) {
      expect(secrets[name].file).toBe(`./secrets/${name}`);
      expect(page).toContain(`> secrets/${name}`);
    }
  });

  test("kubernetes.yaml names ports, labels or secrets that are not there", () => {
    const words = nodes.find(([file]) => file === "kubernetes.yaml")?.[1] ?? [];
    const ports = new Map(
      container.ports.map((port: { name: string; containerPort: number }) => [port.name, port.containerPort]),
    );
    expect(given(words, "--listen")).toBe(`0.0.0.0:${ports.get("wire")}`);
    expect(given(words, "--metrics")).toBe(`0.0.0.0:${ports.get("metrics")}`);
    for (const probe of ["readinessProbe", "livenessProbe"])
      expect(ports.has(container[probe].httpGet.port)).toBe(true);
    expect(ports.has(service.spec.ports[0].targetPort)).toBe(true);
    const { labels } = deployment.spec.template.metadata;
    expect([deployment.spec.selector.matchLabels, service.spec.selector]).toEqual([labels, labels]);
    const mounted = container.volumeMounts.find(({ name }: { name: string }) => name === "secrets").mountPath;
    for (const word of words) {
      if (!word.startsWith("/run/")) continue;
      expect(word.startsWith(`${mounted}/`)).toBe(true);
      expect(page).toContain(`> secrets/${basename(word)}`);
    }
  });

  test("askwire.service names credentials that it does not load, or systemd refuses it", async () => {
    const loaded = settings("LoadCredential").map((value) => value.split(":")[0]);
    const words = nodes.find(([file]) => file === "askwire.service")?.[1] ?? [];
    const used = words.filter((word) => word.startsWith("%d/")).map((word) => word.slice(3));
    expect(loaded.toSorted()).toEqual(used.toSorted());
    for (const name of used) expect(page).toContain(`secrets/${name}`);
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return;
    // The command is not installed on the machine of the test.
    const text = textOf("askwire.service").replace("/usr/local/bin/askwire", process.execPath);
    const file = join(await folderWith({ "askwire.service": text }), "askwire.service");
    const { stderr, status } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
  });

  test("the archives of docs/deploy.md are not those that the Dockerfile copies", () => {
    const [, packed = ""] =
      /^node_modules\/\.bin\/pnpm (.*) pack --pack-destination examples\/deploy$/m.exec(page) ?? [];
    const names = [...packed.matchAll(/--filter (\S+)/g)].map(([, name]) => name);
    expect(names).toEqual(["askwire", "@askwire/protocol", "@askwire/server", "@askwire/postgres"]);
    expect(textOf("Dockerfile")).toContain("COPY askwire-*.tgz");
  });
});

const certificates = new URL("../../../../packages/server/test/websocket/", import.meta.url);
const [certificate = "", key = ""] = ["cert", "key"].map((name) =>
  fileURLToPath(new URL(`localhost-${name}.pem`, certificates)),
);

/** Runs nginx with the file of the example, but for names, ports and certificate. Gives its port. */
async function behindNginx([one, two]: readonly [number, number]): Promise<number> {
  const port = await freePort();
  const [, http = ""] = /http \{(.*)\}\s*$/s.exec(textOf("nginx.conf")) ?? [];
  const here = http
    .replace("ask-1:8080", `127.0.0.1:${one}`)
    .replace("ask-2:8080", `127.0.0.1:${two}`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("tls/cert.pem", certificate)
    .replace("tls/key.pem", key);
  await runNginx(port, here);
  return port;
}

const idIn = (printed: string) => /"request_id":"([^"]+)"/.exec(printed)?.[1];

async function addressOf(rows: Awaited<ReturnType<typeof placed>>["rows"]): Promise<unknown> {
  const [node] = await rows("select address from $schema.node");
  return node?.["address"];
}
