import { isAbsolute, relative } from "node:path";
import { innerEvent } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import { type ChatWords, whoActs } from "@askwire/client/words";
import type { DisplayBlock, Unrecognized, UserInput, WireEvent } from "@askwire/protocol";
import { CallHint } from "./call-hint.js";
import { countChanges } from "./diff.js";
import { displayLines, isDiff } from "./display-lines.js";

/** The lines of an event other than the agent's words. Empty for an event shown elsewhere, or not at all. */
export function eventLines(event: WireEvent | Unrecognized, words: ChatWords): string[] {
  switch (event.type) {
    // The arguments of a sub-agent's call are told once they are complete. One that asks may ask nobody: where a person
    // is asked, the question itself says so.
    case "ToolCall": {
      const { name, arguments: text } = event.payload.function;
      const hint = new CallHint(name);
      const hinted = hint.more(text) ?? "";
      const about = hint.asked === undefined ? hinted : hint.asked.headers || hint.asked.texts;
      return [`• ${visibleLine(name)} ${about}`.trimEnd()];
    }
    case "ToolResult": {
      const { display } = event.payload.return_value;
      const changes = changedFiles(display).map((text) => `  ↳ ${text}`);
      return [...display.flatMap((block) => resultLines(block, words)), ...changes];
    }
    case "SteerInput":
      return [`↪ ${visibleLine(inputLine(event.payload.user_input, words))}`];
    case "DoNotAsk": {
      const { enabled, by } = event.payload;
      const who = by === undefined ? "" : visibleLine(whoActs(by, words.somebodyIn));
      return [words.doNotAsk(enabled, who)];
    }
    case "PolicyDecided": {
      const { response, rule, description } = event.payload;
      return [words.policyDecided(response === "approve", visibleLine(rule), visibleLine(description))];
    }
    case "StepInterrupted":
      return [words.stepInterrupted];
    case "StepRetry": {
      const { wait_s, status_code, error_type, next_attempt, max_attempts } = event.payload;
      const why = String(status_code ?? visibleLine(error_type));
      return [words.tryingAgain(rounded(wait_s), why, next_attempt, max_attempts)];
    }
    case "CompactionBegin":
      return [words.summingUp];
    case "CompactionEnd":
      return [words.summedUp];
    case "HookResolved": {
      const { action, event: hook, target, reason } = event.payload;
      if (action !== "block") return [];
      return [words.hookBlocked(visibleLine(hook), visibleLine(target), visibleLine(reason.trim()))];
    }
    case "Notification": {
      const { severity, title, body } = event.payload;
      const said = [title, body].filter((text) => text.trim() !== "").map(visibleLine);
      return [words.notification(visibleLine(severity), said.join(words.colon))];
    }
    case "SubagentEvent": {
      const inner = innerEvent(event.payload);
      return inner === undefined ? [] : eventLines(inner, words).map((line) => `  ${line}`);
    }
    default:
      return [];
  }
}

function resultLines(block: DisplayBlock, words: ChatWords): string[] {
  switch (block.type) {
    case "brief":
      return "text" in block ? [`  ${withArrow(visibleLine(words.told(String(block.text))))}`] : [];
    case "todo":
    case "shell":
    case "background_task":
      return displayLines(block, (_style, text) => text, words).map((line) => `  ${line}`);
    default:
      return [];
  }
}

/** Adds an arrow, unless the answer has its own, as RedC's answers do. */
const withArrow = (text: string) => (text.startsWith("↩ ") ? text : `↳ ${text}`);

/** The changed files, one line each, since a change may have been approved without being shown. */
export function changedFiles(display: readonly DisplayBlock[]): string[] {
  const files = new Map<string, { added: number; removed: number }>();
  for (const block of display.filter(isDiff)) {
    if (block.is_summary) continue;
    const { added, removed } = files.get(block.path) ?? { added: 0, removed: 0 };
    const more = countChanges(block);
    files.set(block.path, { added: added + more.added, removed: removed + more.removed });
  }
  return [...files].map(
    ([path, { added, removed }]) => `${visibleLine(fromHere(path))} +${added} -${removed}`,
  );
}

/** A path from the folder of this command; a path elsewhere stays whole. */
function fromHere(path: string): string {
  const inside = isAbsolute(path) ? relative(process.cwd(), path) : path;
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside;
}

/** A person's words, on one line without blanks at its end. */
export const inputLine = (input: UserInput, words: ChatWords): string =>
  typeof input === "string"
    ? input
    : input.map((part) => (part.type === "text" ? part.text : words.part(part.type))).join(" ");

const rounded = (seconds: number) => Math.round(seconds * 10) / 10;
