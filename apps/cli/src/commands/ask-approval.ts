import type { AgentWords, Language } from "@askwire/client/words";
import { terminalWords } from "@askwire/client/words";
import type { AskServerApproval } from "../by-name/configured-servers.js";
import type { AskApproval } from "../by-name/named-command.js";
import { languageOf } from "../input/language.js";
import { contentLines, serverLines } from "./agent-lines.js";
import { canConfirm, confirmed } from "./confirmed.js";

/**
 * Makes the question for a project's agent at the terminal: its whole content, then yes or no, where Enter is no.
 *
 * @param lang the language that the person has chosen. Default: that of the locale.
 * @returns undefined where standard input or standard error is no terminal.
 */
export function approvalAtTerminal(lang?: Language): AskApproval | undefined {
  return approvalOfLines(lang, contentLines, ({ approve }) => approve);
}

/** Makes the question for a project's server of MCP at the terminal, as {@link approvalAtTerminal} does for an agent. */
export function serverApprovalAtTerminal(lang?: Language): AskServerApproval | undefined {
  return approvalOfLines(lang, serverLines, ({ approveServer }) => approveServer);
}

function approvalOfLines<T, A>(
  lang: Language | undefined,
  linesOf: (content: T, approval: A, words: AgentWords) => string[],
  questionOf: (words: AgentWords) => string,
): ((content: T, approval: A) => Promise<boolean>) | undefined {
  if (!canConfirm()) return undefined;
  const words = terminalWords[languageOf(lang, process.env)].agents;
  return (content, approval) => {
    process.stderr.write(`${linesOf(content, approval, words).join("\n")}\n`);
    return confirmed(questionOf(words));
  };
}
