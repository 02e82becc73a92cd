import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { isRequest, launch } from "../wire-process.js";
import { nameIt } from "./name-interview.js";

/** Runs a turn whose agent fails at a path outside its folder. Returns the error and the log. */
async function failedTurn(...flags: readonly string[]) {
  const cwd = await folderWith({ "q.yaml": nameIt });
  const args = ["serve", "--stdio", "--interview", "q.yaml", "--out", "../elsewhere.txt", ...flags];
  const wire = launch(args, { cwd });
  const capabilities = { supports_question: true };
  await wire.call("initialize", { protocol_version: "1.10", capabilities });
  const turn = wire.call("prompt", { user_input: "go" });
  const { id } = await wire.seen(isRequest("QuestionRequest"));
  const result = { request_id: id, answers: { "Which name?": "Ada" } };
  wire.send({ jsonrpc: "2.0", id, result });
  const { error } = await turn;
  wire.end();
  const { stderr } = await wire.ended;
  const lines = stderr.split("\n").filter((line) => line !== "");
  return { error, lines: lines.map((line) => JSON.parse(line)) };
}

describe("an exception in a served agent", () => {
  test("an agent's exception is logged with its stack, and the client is told where (P-ERR-3)", async () => {
    const { error, lines } = await failedTurn();
    expect(lines).toMatchObject([
      { msg: "the agent failed", err: { stack: expect.stringMatching(/\n +at /) } },
    ]);
    const [{ turn, err }] = lines;
    expect(err.message).toContain("../elsewhere.txt");
    expect(error).toEqual({
      code: -32603,
      message: `the agent failed with an exception: the server's log has it, under turn ${turn}`,
      data: null,
    });
  });

  test("--raw-errors sends a client the text of an agent's exception (P-ERR-3)", async () => {
    const { error, lines } = await failedTurn("--raw-errors");
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("../elsewhere.txt") });
    expect(lines).toMatchObject([{ msg: "the agent failed" }]);
  });
});
