import type { AskApproval } from "../by-name/named-command.js";
import { type Language, languageOf } from "../words/language.js";
import { wordsIn } from "../words/words.js";
import { contentLines } from "./agent-lines.js";
import { canConfirm, confirmed } from "./confirmed.js";

/**
 * Makes the question for a project's agent at the terminal: its whole content, then yes or no, where Enter is no.
 *
 * @param lang the language that the person has chosen. Default: that of the locale.
 * @returns undefined where standard input or standard error is no terminal.
 */
export function approvalAtTerminal(lang?: Language): AskApproval | undefined {
  if (!canConfirm()) return undefined;
  const words = wordsIn(languageOf(lang, process.env)).agents;
  return (agent, approval) => {
    process.stderr.write(`${contentLines(agent, approval, words).join("\n")}\n`);
    return confirmed(words.approve);
  };
}
