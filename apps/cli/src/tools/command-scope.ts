import type { ApprovalScopeInit } from "@askwire/server";
import { onlyReads } from "./readers.js";

/**
 * The scope of an approval for the session: further commands of the program, where it is a known reader in literal
 * words (P-XAO-7). Undefined for every other command, whose approval is for that call alone.
 *
 * @param platform the platform whose shell reads the command. Default: this one.
 */
export function commandScope(
  command: string,
  platform: NodeJS.Platform = process.platform,
): (ApprovalScopeInit & { readonly value: string }) | undefined {
  const [program, ...args] = (platform === "win32" ? undefined : plainWords(command)) ?? [];
  if (program === undefined || program.isQuoted) return undefined;
  const reads = onlyReads(
    program.text,
    args.map(({ text }) => text),
  );
  return reads ? { kind: "program", value: program.text } : undefined;
}

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Characters that every shell takes literally, or as a part of a path. */
const LITERAL = /[A-Za-z0-9_@%+=:,./~^-]/;

/**
 * The words of a command with literal words only, in quotes or not. Undefined for all else: chains, pipes,
 * redirections, line ends, substitutions, variables, patterns, escapes, comments, and an open quote.
 */
function plainWords(command: string): Word[] | undefined {
  // A blank of another kind is part of a word.
  const text = command.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  const words: Word[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] === " " || text[at] === "\t") {
      at += 1;
      continue;
    }
    let word = "";
    let isQuoted = false;
    while (at < text.length && text[at] !== " " && text[at] !== "\t") {
      const c = text[at] as string;
      const end = c === "'" || c === '"' ? text.indexOf(c, at + 1) : at;
      if (end === -1) return undefined;
      const piece = end === at ? c : text.slice(at + 1, end);
      if (end === at ? !LITERAL.test(c) : c === '"' && /[$`\\!]/.test(piece)) return undefined;
      if (end > at) isQuoted = true;
      word += piece;
      at = end + 1;
    }
    words.push({ text: word, isQuoted });
  }
  return words;
}
