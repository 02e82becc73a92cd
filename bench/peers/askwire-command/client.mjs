/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { ClientSession } from "@askwire/client" */
/** @import { Readable, Writable } from "node:stream" */
import { connectStreams } from "@askwire/client/stdio";
import { questions } from "../../payload.mjs";
import { answeringOptions } from "../askwire/answering.mjs";

/** Runs the turn to its end and checks the tool's result. @type {(session: ClientSession) => Promise<void>} */
async function checkedTurn(session) {
  const [asked] = questions;
  let told = "nothing";
  for await (const event of session.prompt("ask")) {
    if (event.type === "ToolResult") told = String(event.payload.return_value.output);
  }
  await session.close();
  const expected = JSON.stringify({ answers: { [asked?.question ?? ""]: asked?.expected } });
  if (JSON.stringify(JSON.parse(told)) !== expected)
    throw new Error(`expected ${expected}, the tool said ${told}`);
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Promise<Connection>} */
export async function overStdio(input, output, answerer) {
  const session = await connectStreams(input, output, answeringOptions(answerer, "base"));
  return { begin: () => checkedTurn(session) };
}
