// @ts-check
// The requests of the agents that the tests in the editor start.
import { writeFile } from "node:fs/promises";
import { ApprovalRequest, QuestionRequest, wireSend } from "@askwire/server";

/** Asks, and resolves with the answer as JSON. @param {any} questions */
export async function ask(questions) {
  const request = new QuestionRequest({ tool_call_id: "ask", questions });
  wireSend(request);
  return JSON.stringify(await request.wait());
}

/**
 * Asks for the approval of a change, makes the change unless rejected, and resolves with the response.
 *
 * @param {string} path
 * @param {string} old_text
 * @param {string} new_text
 */
export async function write(path, old_text, new_text) {
  return await writeAll([{ path, old_text, new_text }]);
}

/**
 * Asks for one approval of changes in several files, makes them unless rejected, and resolves with the response and the
 * words that came with it.
 *
 * @param {readonly { path: string, old_text: string, new_text: string }[]} changes
 */
export async function writeAll(changes) {
  const display = changes.map((change) => /** @type {const} */ ({ type: "diff", ...change }));
  const description = `Writes ${changes.map(({ path }) => path).join(", ")}`;
  const action = { sender: "WriteFile", action: "edit file", description, display };
  const request = new ApprovalRequest({ tool_call_id: "write", ...action });
  wireSend(request);
  const { response, feedback } = await request.wait();
  if (response !== "reject") for (const { path, new_text } of changes) await writeFile(path, new_text);
  return feedback ? `${response}: ${feedback}` : response;
}
