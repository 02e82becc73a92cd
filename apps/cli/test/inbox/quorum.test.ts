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
  const { address } = await serverOf(home);
  const program = await programAt(address, "builder");
  const { request_id = "" } = await program.ask({ approval: deploy, key: "k", wait: false });
  const tokens = await folderWith({ ann, ben });
  const lobby = lobbyOf(address).replace(/#.*/, "");
  const env = { ASKWIRE_HOME: tokens };
  const as = (name: string) => ["--connect", lobby, "--token-file", `${tokens}/${name}`];
  return {
    ...{ program, request_id, lobby, ben, served },
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

test("askwire audit tells each approval of several under its person", async () => {
  const { answer, program, served } = await setUp();
  await answer("ann", "--approve");
  await answer("ben", "--approve");
  await program.ask({ key: "k" });
  const { stdout } = await askwire(["audit"], served);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/voted +Ann \(token\) +Deploy build 42 → approved/);
  expect(lines[1]).toMatch(/approved +Ben \(token\) +Deploy build 42/);
  const dry = await askwire(["audit", "forget", "Ann", "--dry-run"], served);
  expect(dry.stdout).toMatch(/^2 decisions of Ann would lose/);
});
