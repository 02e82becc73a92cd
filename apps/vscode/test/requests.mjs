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
  const display = [/** @type {const} */ ({ type: "diff", path, old_text, new_text })];
  const action = { sender: "WriteFile", action: "edit file", description: `Writes ${path}`, display };
  const request = new ApprovalRequest({ tool_call_id: "write", ...action });
  wireSend(request);
  const { response } = await request.wait();
  if (response !== "reject") await writeFile(path, new_text);
  return response;
}
