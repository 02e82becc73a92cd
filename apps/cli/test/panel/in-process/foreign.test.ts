import { type CoreQuestion, coreQuestion } from "@askwire/protocol";
import { expect, test } from "vitest";
import { approvalView, CTRL_C, colourView, down, enter, panelRoom, requestContext } from "./room.js";

/** A title, an 8-bit colour, strings with BEL and ST at the end, marks of direction, a carriage return. */
const EVIL =
  "a\u001b]0;t\u0007b\u009b31mc\u009d2;d\u009ce\u001bP1$q\u001b\\f\u202eg\u2066h\ri\bj\u0000k\u007fl\u2028m";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal acts on.
const ACTED_ON = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/u;

function evilQuestion(multi_select: boolean, index: number): CoreQuestion {
  const option = { label: EVIL, description: EVIL, preview: `${EVIL}\n${EVIL}`, recommended: true };
  const texts = { question: EVIL, header: EVIL, body: EVIL, other_label: EVIL, other_description: EVIL };
  const input = { ...texts, placeholder: EVIL, options: [option, option], multi_select, default: ["none"] };
  return coreQuestion(input as never, index);
}

test("the terminal acts on no foreign text, wherever a panel or its lines show it", async () => {
  const room = await panelRoom();
  const questions = [evilQuestion(false, 0), evilQuestion(true, 1)];
  const { context, settle } = requestContext([{ question_id: "q1", message: EVIL } as never]);
  const view = { ...colourView(), questions, agent: { id: EVIL, type: EVIL } as never };
  const reply = room.person.question(view, context);
  const seen: string[] = [];
  const look = () => seen.push(room.frame());
  await room.settled();
  look();
  await room.pass(500);
  for (const key of [
    "\u0005",
    "q",
    down,
    down,
    EVIL.replace(/[^a-z]/g, ""),
    enter,
    " ",
    "\t",
    "\u0005",
    "q",
  ]) {
    await room.type(key);
    look();
  }
  await room.type("\u001b[200~a\u009b31m\u0007\u202eb\u001b[201~");
  look();
  settle({ client: { name: EVIL, connection: EVIL } });
  await expect(reply).rejects.toThrow();
  const display = [
    { type: "diff", path: EVIL, old_text: EVIL, new_text: `${EVIL}2`, old_start: 1, new_start: 1 },
    { type: "diff", path: `${EVIL}2`, old_text: EVIL, new_text: EVIL, is_summary: true },
    { type: "shell", command: `${EVIL}\n${EVIL}` },
    { type: "todo", items: [{ title: EVIL, status: EVIL }] },
    { type: "background_task", description: EVIL, status: EVIL },
    { type: "brief", text: EVIL },
  ];
  const words = { sender: EVIL, action: EVIL, description: EVIL, subagent_type: EVIL, display };
  const { reply: approval } = await room.asksApproval(approvalView(words as never));
  look();
  await room.pass(500);
  await room.type(down, down, down, ...EVIL.replace(/[^a-z]/g, ""));
  look();
  await room.type("\u0005");
  look();
  await room.type(CTRL_C);
  expect(await approval).toBe("reject");
  expect(seen.join("\n")).toContain("\\u{1b}]0;t\\u{7}b\\u{9b}31m");
  for (const frame of seen) expect(frame).not.toMatch(ACTED_ON);
  expect(room.written()).toContain("\\u{9b}31m");
  expect(room.written()).not.toMatch(ACTED_ON);
  // Our own signals begin and end with controls, and hold none.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
  expect(room.terminal.signals.replace(/\u0007(?:\u001b\]9;)?|\u001b\]0;/g, "")).not.toMatch(ACTED_ON);
});

test("a drawing error is reported without control characters, and the question is asked in lines", async () => {
  const draw = () => {
    throw new Error(EVIL);
  };
  const room = await panelRoom({ view: { draw } });
  expect(await room.person.question(colourView(), requestContext().context)).toBe("declined");
  expect(room.written()).toContain("\\u{9b}31m");
  expect(room.written()).not.toMatch(ACTED_ON);
});
