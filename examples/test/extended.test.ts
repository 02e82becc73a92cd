import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp, createServer as createTcpServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { createServer, QuestionRequest, wireSend } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";

const example = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

async function themeOf(options: Parameters<typeof connectProcess>[2], ms = 60_000): Promise<string> {
  const session = await connectProcess(process.execPath, [example("theme-agent.mjs"), String(ms)], options);
  let said = "";
  for await (const event of session.prompt("go")) {
    if (event.type === "ContentPart" && event.payload.type === "text") said += event.payload.text;
  }
  await session.close();
  return said;
}

const day = () => ({ items: [{ question_id: "q1", selected: ["day"] }] });

test("a client that shows everything answers by id, and nothing is lost (P-XQS-1)", async () => {
  const said = await themeOf({ handlers: { question: day }, shows: { previews: true, deadline: true } });
  expect(said).toBe("day, by human.");
});

test("the agent is told what a client of the base profile was not shown (P-XQS-3)", async () => {
  const byText = () => ({ answers: { "Which theme?": "Day" } });
  const said = await themeOf({ handlers: { question: byText }, profile: "base" });
  expect(said).toBe("day, by human; not shown: preview, default, recommended, own_text, deadline.");
});

test("the default that was shown counts when nobody answers in time (P-XDL-2)", async () => {
  const never = () => new Promise<never>(() => {});
  const said = await themeOf(
    { handlers: { question: never }, shows: { previews: true, deadline: true } },
    50,
  );
  expect(said).toBe("night, by timer.");
});

test("a client whose connection breaks while it is asked answers on the next one (P-XCL-2, P-XCL-3)", async () => {
  const server = createServer({
    agent: {
      async run(turn) {
        const request = new QuestionRequest({
          tool_call_id: turn.id,
          questions: [{ question: "Where to?", options: [] }],
        });
        wireSend(request);
        turn.say(`To ${(await request.wait())["Where to?"]}.`);
      },
    },
  });
  const gateway = await listenWebSocket(server);
  const address = new URL(gateway.address(server.createSession()));
  const port = Number(address.port);
  const sockets: Socket[] = [];
  const proxy = createTcpServer((socket) => {
    const onward = connectTcp(port, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward]) one.on("error", () => {});
    sockets.push(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    proxy.close();
    await gateway.close();
    await server.close();
  });
  address.port = String((proxy.address() as { port: number }).port);

  const child = spawn(process.execPath, [example("kept-open.mjs"), address.href, "go"]);
  onTestFinished(() => void child.kill());
  let told = "";
  let asked = "";
  const heard = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => (told + asked).includes(text) && resolve();
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      look();
    });
  child.stdout.on("data", (data) => {
    told += data;
  });
  child.stderr.on("data", (data) => {
    asked += data;
  });
  await heard("Where to?");
  sockets[0]?.resetAndDestroy();
  await heard("lost, again in");
  child.stdin.write("Rome\n");
  const [status] = await once(child, "close");
  expect([status, told.replace(/\d+ ms/, "n ms")]).toEqual([
    0,
    "connected\nlost, again in n ms\nconnected\nTo Rome.\n",
  ]);
  expect(asked.split("Where to?")).toHaveLength(2);
});

test("an inbox shows what waits in all sessions of a server, and ends when nothing does (P-XSE-5)", async () => {
  const requests: QuestionRequest[] = [];
  const ask = () => {
    const request = new QuestionRequest({
      tool_call_id: "tc",
      questions: [{ question: "Red?", options: [] }],
    });
    requests.push(request);
    wireSend(request);
    return request.wait().then(() => {});
  };
  const server = createServer({ agent: { run: ask }, attendance: "hold" });
  const gateway = await listenWebSocket(server);
  onTestFinished(async () => {
    await gateway.close();
    await server.close();
  });
  for (const prompt of ["Paint", "Build"]) void server.createSession().prompt(prompt);
  const address = new URL("/wire", gateway.address(server.createSession()));
  address.hash = gateway.token;
  const child = spawn(process.execPath, [example("inbox.mjs"), address.href]);
  const ended = once(child, "close");
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text;
    if (said.split("\n").length > 2) for (const request of requests) request.resolve({ "Red?": "yes" });
  }
  expect((await ended)[0]).toBe(0);
  expect(said).toMatch(/^Paint: Red\? \(since \d{4}-.*\)\nBuild: Red\? \(since /);
});
