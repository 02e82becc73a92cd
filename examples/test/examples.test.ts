import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClientHandlers } from "@askwire/client";
import { connectProcess } from "@askwire/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { runProgram, temporaryFolder } from "./run-program.js";

const example = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const server = (name: string) => [process.execPath, example(name)];

/** Runs the first client on an agent, types the lines and ends the input. */
const firstClient = (agent: readonly string[], typed: string) =>
  runProgram(process.execPath, [example("first-client.mjs"), ...agent], { typed });

/** Connects to an example over its standard input and output. Returns the words after each prompt. */
async function converse(name: string, prompts: readonly string[], handlers: ClientHandlers = {}) {
  const session = await connectProcess(process.execPath, [example(name)], { handlers });
  const said: string[] = [];
  for (const prompt of prompts) {
    let text = "";
    for await (const event of session.prompt(prompt)) {
      if (event.type === "ContentPart" && event.payload.type === "text") text += event.payload.text;
    }
    said.push(text);
  }
  await session.close();
  return said;
}

test("the first client shows the first server's question and what became of the answer", async () => {
  const { stdout, stderr, status } = await firstClient(server("first-server.mjs"), "PostgreSQL\n");
  expect(stdout).toBe("Which database?\n  SQLite\n  PostgreSQL\nI set up PostgreSQL.\n");
  expect(stderr).toBe("");
  expect(status).toBe(0);
});

test("a line that is not an option reaches the first server as own text", async () => {
  const { stdout } = await firstClient(server("first-server.mjs"), "a text file\n");
  expect(stdout).toContain("I set up a text file.");
});

test("the end of the input is nobody's answer: nothing is made up and nothing hangs", async () => {
  const { stdout, status } = await firstClient(server("first-server.mjs"), "");
  expect(stdout).toContain("No database yet");
  expect(stdout).not.toContain("I set up");
  expect(status).toBe(0);
});

test("a client that shows no questions is asked by the first server in plain text", async () => {
  const [said] = await converse("first-server.mjs", ["go"]);
  expect(said).toBe("No database yet: tell me which one you want.");
});

test("the first client names an agent that cannot be started", async () => {
  const { stderr, status } = await firstClient(["askwire-no-such-agent"], "");
  expect(stderr).toContain('could not start "askwire-no-such-agent"');
  expect(status).toBe(1);
});

test("a client and an agent over connections of vscode-jsonrpc ask and answer, and both end", async () => {
  const { stdout, stderr, status } = await runProgram(process.execPath, [
    example("jsonrpc-client.mjs"),
    ...server("jsonrpc-server.mjs"),
  ]);
  expect({ stdout, stderr, status }).toEqual({ stdout: "I use npm.\n", stderr: "", status: 0 });
});

test("the server of the page on metrics counts a question that it has asked", async () => {
  let said = "";
  const session = await connectProcess(process.execPath, [example("measured-server.mjs")], {
    onStderr: (text) => {
      said += text;
    },
    handlers: { question: ({ questions: [first] }) => ({ answers: { [first?.question ?? ""]: "SQLite" } }) },
  });
  for await (const _event of session.prompt("go"));
  const port = /port: (\d+)/.exec(said)?.[1];
  const got = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect(await got("/metrics")).toContain('askwire_requests_opened_total{kind="question"} 1\n');
  expect(await got("/readyz")).toBe("[]");
  await session.close();
});

test("the traced server of the page on metrics sends its question by OTLP, below the turn, and no word of it", async () => {
  const bodies: string[] = [];
  const collector = createHttpServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    bodies.push(`${request.url} ${body}`);
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void collector.close());
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const session = await connectProcess(process.execPath, [example("traced-server.mjs")], {
    handlers: { question: ({ questions: [first] }) => ({ answers: { [first?.question ?? ""]: "SQLite" } }) },
  });
  for await (const _event of session.prompt("go"));
  await session.close();
  const sent = bodies.join("\n");
  expect(sent).toMatch(/^\/v1\/traces \{/);
  const spans = [...sent.matchAll(/"spanId":"(\w+)"(?:,"parentSpanId":"(\w+)")?[^{}]*"name":"([^"]+)"/g)];
  const [question, turn] = ["askwire.ask", "agent turn"].map((name) =>
    spans.find((span) => span[3] === name),
  );
  expect(question?.[2]).toBe(turn?.[1]);
  for (const word of ["SQLite", "database?"]) expect(sent).not.toContain(word);
});

test("a tool of a custom loop asks from inside its call, once for each task", async () => {
  const asked: string[] = [];
  const said = await converse("own-loop.mjs", ["fix the build, write docs"], {
    question({ questions: [item] }) {
      asked.push(item?.question ?? "");
      return { answers: { [item?.question ?? ""]: asked.length === 1 ? "Today" : "next year" } };
    },
  });
  expect(asked).toEqual(['How urgent is "fix the build"?', 'How urgent is "write docs"?']);
  expect(said).toEqual(["fix the build: Today\nwrite docs: next year\n"]);
});

test("a loop whose client cannot show questions reads that it should ask in plain text (P-OUT-7)", async () => {
  const [said] = await converse("own-loop.mjs", ["rest"]);
  expect(said).toContain("rest: The question was not asked: no connected client can show questions.");
  expect(said).toContain("ask the user in plain text in your response instead.");
});

test("a loop whose question is declined reads so", async () => {
  const said = await converse("own-loop.mjs", ["rest"], { question: () => "declined" });
  expect(said[0]).toMatch(/^rest: The user closed the question without an answer\./);
});

test("a client that shows questions is asked a question by the unsupported example", async () => {
  const said = await converse("unsupported.mjs", ["go"], {
    question: () => ({ items: [{ question_id: "q1", selected: ["q1_o2"] }] }),
  });
  expect(said).toEqual(["I add Apache-2.0."]);
});

test("a client that shows no questions is asked in plain text, and its next prompt is the answer", async () => {
  const said = await converse("unsupported.mjs", ["go", "MIT"]);
  expect(said).toEqual(["Which license? Answer with MIT or Apache-2.0.", "I add MIT."]);
});

test("an agent with approvals, a sub-agent and a command resumes its session in another process", async () => {
  const folder = await temporaryFolder();
  const call = { id: "r1", name: "Release", arguments: '{"version":"2.0"}' };
  const scripts = join(folder, "scripts.json");
  await writeFile(scripts, JSON.stringify([`tool_call: ${JSON.stringify(call)}`, "text: Done."]));
  const args = [example("release-agent.mjs"), scripts, join(folder, "kept"), "release"];

  const asked: string[] = [];
  const first = await connectProcess(process.execPath, args, {
    handlers: {
      approval({ description }) {
        asked.push(description);
        return "approve";
      },
    },
  });
  expect(first.slashCommands.map(({ name }) => name)).toEqual(["clear"]);
  const seen = [];
  for await (const event of first.prompt("release it")) seen.push(event);
  expect(asked).toEqual(["release 2.0"]);
  expect(seen.map(({ type }) => type)).toContain("SubagentEvent");
  const result = seen.find((event) => event.type === "ToolResult");
  expect(result?.payload.return_value.output).toBe("2.0 is out: Faster, and fewer bugs.");
  await first.close();

  const second = await connectProcess(process.execPath, args);
  const replayed: string[] = [];
  const { status, events } = await second.replay({ event: ({ type }) => void replayed.push(type) });
  expect({ status, events }).toEqual({ status: "finished", events: replayed.length });
  expect(replayed).toEqual(expect.arrayContaining(["TurnBegin", "SubagentEvent", "ToolResult", "TurnEnd"]));
  await second.close();
});
