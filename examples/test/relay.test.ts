import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { textLines } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished, test } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test.each([
  ["wire", "../first-server.mjs"],
  ["acp", "../../packages/relays/test/acp/scripted-agent.mjs"],
])(
  "relay.mjs recognises an agent of %s by itself, and puts it before people over WebSocket",
  async (protocol, program) => {
    const relay = spawn(process.execPath, [path("../relay.mjs"), process.execPath, path(program)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void relay.kill());
    const { value: line = "" } = await textLines(relay.stdout).next();
    const [found, address = ""] = String(line).split(" ");
    expect(found).toBe(protocol);
    const session = await connectWebSocket(address, {
      handlers: { question: () => ({ answers: { "Which database?": "SQLite" } }) },
    });
    onTestFinished(() => session.close());
    let said = "";
    for await (const { type, payload } of session.prompt("hello"))
      if (type === "ContentPart" && payload.type === "text") said += payload.text;
    expect(said).toBe(protocol === "wire" ? "I set up SQLite." : "You said: hello");
  },
);
