import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import { useEffect, useRef, useState } from "react";
import type { Conversation } from "./conversation.js";

/** The longest text that is read out whole, in characters. */
const LONGEST = 300;

/** The line for a screen reader: that the agent works or answers, then its words, or their number if they are many. */
export function useAnnouncement({ entries, isRunning, isComing }: Conversation, words: TalkWords): string {
  const [line, setLine] = useState("");
  const last = entries.findLast(({ kind }) => kind === "text" || kind === "prompt");
  const answers = last?.kind === "text";
  const text = last?.kind === "text" && !isRunning ? last.text : "";
  const turn = entries.findLast(({ kind }) => kind === "prompt")?.key;
  const was = useRef({ isRunning, isComing, turn });
  useEffect(() => {
    const before = was.current;
    was.current = { isRunning, isComing, turn };
    if (isComing || before.isComing) return;
    if (isRunning) setLine(answers ? words.answers : words.works);
    // A short turn begins and ends between two redraws.
    else if (before.isRunning || (turn !== undefined && turn !== before.turn)) setLine(ending(text, words));
  }, [isRunning, isComing, turn, answers, text, words]);
  return line;
}

function ending(text: string, words: TalkWords): string {
  if (text === "") return words.rests;
  const said = visibleText(text.trim());
  return said.length <= LONGEST ? said : words.finished(said.split(/\n\s*\n/).length);
}
