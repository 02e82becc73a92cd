import { readdir, readFile } from "node:fs/promises";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";
import { askwire, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { lobbyOf, programAt, serverOf } from "./many.js";

const deploy = { action: "deploy", description: "Deploy build 42", quorum: 2 };

/** A server at which a program asks for an approval of two, and the tokens of Ann and Ben in files. */
async function setUp() {
  const home = await folderWith();
  const served = { env: { ASKWIRE_HOME: home } };
  const [ann = "", ben = ""] = await Promise.all(
    ["Ann", "Ben"].map(async (name) => (await askwire(["tokens", "add", name], served)).stdout.trim()),
  );
  const { address, child, ended } = await serverOf(home);
  const program = await programAt(address, "builder");
  const { request_id = "" } = await program.ask({ approval: deploy, key: "k", wait: false });
  const tokens = await folderWith({ ann, ben });
  const lobby = lobbyOf(address).replace(/#.*/, "");
  const env = { ASKWIRE_HOME: tokens };
  const as = (name: string) => ["--connect", lobby, "--token-file", `${tokens}/${name}`];
  return {
    ...{ program, request_id, lobby, ann, ben, served },
    /** Ends the server, after which its sessions are nobody's. */
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
    /** Answers from the command line, in that name. */
    answer: (name: string, ...how: string[]) =>
      askwire(["inbox", "answer", request_id, ...how, ...as(name)], { env }),
    /** The inbox of that person in a terminal. */
    inbox: (name: string) => openAskwire(["inbox", ...as(name)], { env, columns: 100 }),
  };
}

test("askwire inbox answer says that others must approve too, and the second approval settles with both names", async () => {
  const { answer, program } = await setUp();
  expect(await answer("ann", "--approve")).toMatchObject({
    status: 0,
    stdout: "approved: others must approve it too\n",
  });
  expect(await answer("ben", "--approve")).toMatchObject({ status: 0, stdout: "answered\n" });
  const { outcome, response } = await program.ask({ key: "k" });
  expect(response).toBe("approve");
  const names = (outcome as unknown as { approved_by: { principal: { name: string } }[] }).approved_by;
  expect(names.map(({ principal }) => principal.name)).toEqual(["Ann", "Ben"]);
});

test("the inbox at a terminal shows how many must approve and who has, and says so once its person has approved", async () => {
  const { inbox, answer, program, lobby, ben, request_id } = await setUp();
  const terminal = inbox("ann");
  await terminal.waitForRows(/Deploy build 42 .*2 must approve/);
  terminal.type("\r");
  await terminal.waitForRows(/2 people must approve this\.[\s\S]*Esc back/);
  await answer("ben", "--approve");
  await terminal.waitForRows(/approved by Ben, 1 more must approve/);
  const page = await connectWebSocket(lobby, { token: ben, lobby: true, client: { name: "page" } });
  onTestFinished(() => page.close());
  expect((await page.listRequests()).requests).toMatchObject([
    { request_id, quorum: 2, approved_by: [{ principal: { name: "Ben" } }] },
  ]);
  terminal.type("\r");
  await terminal.waitForRows("Nothing waits for you.");
  expect((await program.ask({ key: "k" })).response).toBe("approve");
});

test("askwire audit tells each approval of several under its person, and forgets one of them with their words alone", async () => {
  const { answer, program, served, lobby, ann, stop } = await setUp();
  const first = await connectWebSocket(lobby, {
    ...{ token: ann, session: program.id ?? "", shows: { quorum: true } },
    handlers: { approval: () => ({ response: "approve", feedback: "secret words" }) },
  });
  await expect
    .poll(async () => (await first.listRequests()).requests[0])
    .toMatchObject({ approved_by: [{ principal: { name: "Ann" } }] });
  await first.close();
  await answer("ben", "--approve");
  const { feedback } = (await program.ask({ key: "k" })) as { feedback?: string };
  expect(feedback).toBe("secret words");
  await program.close();
  await stop();
  const told = async () => (await askwire(["audit"], served)).stdout;
  const lines = (await told()).trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/voted +Ann \(token\) +Deploy build 42 → approved; secret words/);
  expect(lines[1]).toMatch(/approved +Ben \(token\) +Deploy build 42/);
  expect(lines[1]).not.toContain("secret words");

  expect((await askwire(["audit", "forget", "Ann", "--yes"], served)).status).toBe(0);
  expect(await told()).toMatch(/voted +removed \(token\)[\s\S]*approved +Ben/);
  const { stdout } = await askwire(["audit", "--json"], served);
  expect(stdout).not.toMatch(/Ann|secret words/);
  const sessions = `${served.env.ASKWIRE_HOME}/sessions`;
  const files = (await readdir(sessions, { recursive: true })).filter((name) => name.endsWith("wire.jsonl"));
  const journals = await Promise.all(files.map((name) => readFile(`${sessions}/${name}`, "utf8")));
  expect(journals.join("")).toContain("InteractionVoted");
  expect(journals.join("")).not.toMatch(/"Ann"|secret words/);
});
