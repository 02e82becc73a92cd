import type { AskServerApproval } from "../by-name/configured-servers.js";
import type { AskApproval } from "../by-name/named-command.js";
import type { AgentWords } from "../words/agent-words.js";
import { languageOf, type TerminalLanguage } from "../words/language.js";
import { wordsIn } from "../words/words.js";
import { contentLines, serverLines } from "./agent-lines.js";
import { canConfirm, confirmed } from "./confirmed.js";

/**
 * Makes the question for a project's agent at the terminal: its whole content, then yes or no, where Enter is no.
 *
 * @param lang the language that the person has chosen. Default: that of the locale.
 * @returns undefined where standard input or standard error is no terminal.
 */
export function approvalAtTerminal(lang?: TerminalLanguage): AskApproval | undefined {
  return approvalOfLines(lang, contentLines, ({ approve }) => approve);
}

/** Makes the question for a project's server of MCP at the terminal, as {@link approvalAtTerminal} does for an agent. */
export function serverApprovalAtTerminal(lang?: TerminalLanguage): AskServerApproval | undefined {
  return approvalOfLines(lang, serverLines, ({ approveServer }) => approveServer);
}

function approvalOfLines<T, A>(
  lang: TerminalLanguage | undefined,
  linesOf: (content: T, approval: A, words: AgentWords) => string[],
  questionOf: (words: AgentWords) => string,
): ((content: T, approval: A) => Promise<boolean>) | undefined {
  if (!canConfirm()) return undefined;
  const words = wordsIn(languageOf(lang, process.env)).agents;
  return (content, approval) => {
    process.stderr.write(`${linesOf(content, approval, words).join("\n")}\n`);
    return confirmed(questionOf(words));
  };
}
