// @ts-check
// An extension beside that of Askwire: it shows how many questions wait, and answers one with the selected text.
import { commands, extensions, window } from "vscode";

// #region api
/**
 * The part of the face of Askwire that this extension uses.
 *
 * @typedef {{ id: string, question: string }} Question
 * @typedef {{ kind: "question", id: string, request: { questions: Question[] } }} OpenQuestion
 * @typedef {{ kind: "approval", id: string }} OpenApproval
 * @typedef {{ chat: string, request: OpenQuestion | OpenApproval }} Card
 * @typedef {{ items: { question_id: string, selected: string[], own_text?: string }[] }} Reply
 * @typedef {object} Askwire
 * @property {{ onChange(listener: () => void): () => void }} chats
 * @property {{ open(): Card[], answerQuestion(chat: string, id: string, reply: Reply): boolean }} cards
 */

/** @returns {Promise<Askwire>} */
async function askwire() {
  const extension = extensions.getExtension("askwire.askwire-vscode");
  if (extension === undefined) throw new Error("expected the extension Askwire: install it");
  return extension.activate();
}
// #endregion api

// #region answer
/** Foreign text in a label, which would read `$(name)` as an icon. @param {string} text */
const plain = (text) => text.replaceAll("$(", "$ (");

/**
 * The open questions of all sessions, those of the shown session first. A reply answers a whole request, and what it
 * leaves out is skipped: only requests with one question are among them.
 *
 * @param {Askwire} face
 */
const questionsOf = ({ cards }) =>
  cards.open().flatMap(({ chat, request }) => {
    if (request.kind !== "question" || request.request.questions.length !== 1) return [];
    return request.request.questions.map(({ id, question }) => ({
      label: plain(question),
      chat,
      request,
      id,
    }));
  });

async function answer() {
  const face = await askwire();
  const editor = window.activeTextEditor;
  const own_text = editor?.document.getText(editor.selection) ?? "";
  if (own_text.trim() === "") return window.showInformationMessage("Select the text of the answer first.");
  const picked = await window.showQuickPick(questionsOf(face), { title: "Which question?" });
  if (picked === undefined) return;
  const { chat, request, id } = picked;
  const isTaken = face.cards.answerQuestion(chat, request.id, {
    items: [{ question_id: id, selected: [], own_text }],
  });
  window.showInformationMessage(
    isTaken ? "Answered." : "That question is no longer open, or takes no such answer.",
  );
}

/** @param {import("vscode").ExtensionContext} context */
export async function activate({ subscriptions }) {
  const face = await askwire();
  const waiting = window.createStatusBarItem("answerWithSelection.waiting");
  waiting.command = "answerWithSelection.answer";
  const show = () => {
    waiting.text = `Questions: ${questionsOf(face).length}`;
    waiting.show();
  };
  show();
  const dispose = face.chats.onChange(show);
  subscriptions.push(waiting, { dispose }, commands.registerCommand("answerWithSelection.answer", answer));
}
// #endregion answer
