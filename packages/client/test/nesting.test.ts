import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { HEARS_LINES } from "../../protocol/test/line-program.js";

/** A server that sends 32 MiB of nested arrays before each result, as a message and as a call's arguments. */
const hostile = `${HEARS_LINES}
  const deep = "[".repeat(16 * 1024 * 1024 - 512) + "]".repeat(16 * 1024 * 1024 - 512);
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const results = {
    initialize: { protocol_version: "1.10", server: { name: "raw", version: "0" }, slash_commands: [],
      external_tools: { accepted: ["Weather"], rejected: [] } },
    prompt: { status: "finished" },
  };
  let prompt;
  hearLines((line) => {
    const { id, method, result } = JSON.parse(line);
    if (method === "prompt") {
      prompt = id;
      const payload = { id: "tc", name: "Weather", arguments: deep };
      send({ id: "call", method: "request", params: { type: "ToolCallRequest", payload } });
    } else if (method === undefined) {
      const text = result.return_value.message;
      send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text } } });
      send({ id: prompt, result: results.prompt });
    } else {
      process.stdout.write(deep + "\\n");
      send({ id, result: results[method] });
    }
  });
`;

const program = `
  import { connectProcess } from "@askwire/client/stdio";
  const problems = [];
  const tool = { name: "Weather", description: "x", parameters: { type: "object" }, run: () => "rain" };
  const session = await connectProcess(process.execPath, ["-e", process.argv[1]], {
    tools: [tool],
    onProblem: (problem) => void problems.push(problem),
  });
  const said = [];
  for await (const { type, payload } of session.prompt("go")) if (type === "ContentPart") said.push(payload.text);
  await session.close();
  console.log(JSON.stringify({ said, problems }));
`;

test("a server that sends 32 MiB of arrays in each other costs a client neither its process nor a turn (P-LIM-3, P-CLI-5)", async () => {
  const node = ["--max-old-space-size=256", "--input-type=module", "-e", program, hostile];
  const child = spawn(process.execPath, node, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = text(child.stdout);
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(JSON.parse(await output)).toEqual({
    said: ["The tool failed: invalid arguments: expected at most 64 levels of nesting"],
    problems: [expect.stringContaining("nested deeper than 64 at character 65")],
  });
});
