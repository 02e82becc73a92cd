import { terminalWords } from "@askwire/client/words";
import type { WireEvent } from "@askwire/protocol";
import { expect, test } from "vitest";
import type { Live } from "../../src/lines/live-rows.js";
import { LeavingRows } from "../../src/lines/live-rows.js";
import { growingLines } from "../../src/markdown/growing-lines.js";
import { DrawnTranscript } from "../../src/terminal/drawn-transcript.js";
import type { StatusFacts } from "../../src/terminal/status-row.js";
import { KeptOutput } from "../../src/tools/kept-output.js";
import { handClock } from "../panel/in-process/room.js";

/** A transcript on a stand-in for a terminal of 60 columns. */
function drawn(told: () => StatusFacts = () => ({}), asking = false) {
  const clock = handClock();
  const leaving = new LeavingRows();
  const place = { live: undefined as Live | undefined, written: "", changes: 0 };
  const look = { paint: (_style: unknown, text: string) => text, isStyled: true };
  const transcript = new DrawnTranscript({
    lines: {
      asking,
      write: (text) => {
        place.written += text;
      },
      shows: (live) => {
        place.live = live;
      },
      changed: () => {
        place.changes += 1;
      },
      endText: () => {
        const text = place.live?.text;
        if (text !== undefined) place.written += leaving.end(text, 60);
      },
    },
    paint: look.paint,
    words: terminalWords.en,
    grows: () => growingLines(look),
    columns: () => 60,
    told,
    clock,
  });
  const tell = (type: string, payload: object) => transcript.event({ type, payload } as WireEvent);
  return {
    ...{ transcript, clock, place },
    says: (text: string) => tell("ContentPart", { type: "text", text }),
    calls: (name: string, args: object, id = "c") =>
      tell("ToolCall", { type: "function", id, function: { name, arguments: JSON.stringify(args) } }),
    results: (output: string, { isError = false, display = [] as object[], id = "c" } = {}) =>
      tell("ToolResult", {
        tool_call_id: id,
        return_value: { is_error: isError, output, message: "", display },
      }),
    work: (room = 20) => place.live?.work(60, room) ?? [],
    status: () => place.live?.status(60),
  };
}

test("a call is one line with its result and how long it took, written when it has ended", () => {
  const { calls, results, work, place, clock } = drawn();
  calls("ReadFile", { path: "a.txt" });
  expect([work(), place.written]).toEqual([["• ReadFile a.txt"], ""]);
  clock.pass(4_000);
  expect(work()).toEqual(["• ReadFile a.txt · 4 s"]);
  results("text", { display: [{ type: "brief", text: "Read 3 lines" }] });
  expect([work(), place.written]).toEqual([[], "• ReadFile a.txt · Read 3 lines · 4 s\n"]);
});

test("a call that reads or finds says how many lines it found", () => {
  const { calls, results, place } = drawn();
  calls("ReadFile", { path: "notes.txt" });
  results(`${"line\n".repeat(60)}`);
  calls("Grep", { pattern: "x" });
  results("one");
  calls("Glob", { pattern: "*.md" });
  results("");
  calls("SetTitle", { title: "x" });
  results("not counted");
  expect(place.written).toBe(
    "• ReadFile notes.txt · 60 lines\n• Grep x · 1 line\n• Glob *.md\n• SetTitle x\n",
  );
});

test("a running command shows its last lines, as many as there is room for, and how many there were", () => {
  const { calls, work, transcript } = drawn();
  const text = Array.from({ length: 8 }, (_, index) => `line ${index + 93}\n`).join("");
  transcript.printed({ tool_call_id: "c", text, lines: 100 });
  calls("Shell", { command: "make" });
  const last = ["  line 96", "  line 97", "  line 98", "  line 99", "  line 100"];
  expect(work()).toEqual(["• Shell make", "  the last 5 of 100 lines", ...last]);
  expect(work(3)).toEqual(["• Shell make", "  the last 1 of 100 lines", "  line 100"]);
  calls("Shell", { command: "other" }, "d");
  expect(work(1)).toEqual(["  2 more calls run"]);
});

/** An approval, as the conversation shows it once the panel is gone. */
const approved = (about: string, lines: readonly string[] = []) => ({
  head: { mark: "●", about, decision: "→ approved" },
  lines,
});

test("an approved command has one row: called, approved with its last lines and its time, then its result", () => {
  const { calls, results, work, place, transcript, clock } = drawn();
  calls("Shell", { command: "make all" });
  expect(work()).toEqual(["• Shell make all"]);
  clock.pass(60_000);
  transcript.tellAnswer("c", approved("Run the command `make all`"), true);
  transcript.answered("c");
  expect([work(), place.written]).toEqual([["• Run the command `make all` → approved"], ""]);
  transcript.printed({ tool_call_id: "c", text: "one\n", lines: 1 });
  clock.pass(3_000);
  expect(work()).toEqual(["• Run the command `make all` → approved · 3 s", "  one"]);
  results("one\n", { isError: true, display: [{ type: "brief", text: "Exit code 2" }] });
  expect([work(), place.written]).toEqual([
    [],
    "✗ Run the command `make all` → approved · Exit code 2 · 3 s\n  one\n",
  ]);
});

test("a long command that runs leaves its decision in sight, and stands whole once it has ended", () => {
  const { calls, results, work, place, transcript, clock } = drawn();
  const about = `Run ${Array.from({ length: 30 }, (_, at) => `w${at}`).join(" ")}`;
  calls("Shell", { command: "make" });
  transcript.tellAnswer("c", approved(about, ["  + a line"]), true);
  transcript.answered("c");
  clock.pass(2_000);
  expect(work()).toEqual(["• Run w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w1… → approved · 2 s"]);
  results("");
  expect(place.written.replace(/\n {2}(?=\S)/g, " ")).toBe(`● ${about} → approved + a line\n`);
});

test("a rejected or answered call is told by its answer alone, and an approved one that never ended by its approval", () => {
  const { calls, results, work, place, transcript } = drawn();
  calls("Shell", { command: "rm" });
  transcript.tellAnswer("c", { lines: ["○ Run `rm` → rejected"] }, false);
  results("");
  calls("Shell", { command: "make" }, "d");
  transcript.tellAnswer("d", approved("Run `make`"), true);
  calls("Shell", { command: "other" }, "e");
  transcript.tellAnswer("nobody's", approved("Push"), true);
  expect(work()).toEqual(["• Run `make` → approved", "• Shell other"]);
  transcript.prompting(false);
  expect([work(), place.written]).toEqual([
    [],
    "○ Run `rm` → rejected\n● Push → approved\n● Run `make` → approved\n• Shell other\n",
  ]);
});

test("a call that is approved twice tells both approvals, the first as soon as the second is there", () => {
  const { calls, results, place, transcript } = drawn();
  calls("Shell", { command: "make" });
  transcript.tellAnswer("c", approved("Run `make`"), true);
  transcript.tellAnswer("c", approved("Leave the folder"), true);
  results("", { display: [{ type: "brief", text: "Exit code 2" }] });
  expect(place.written).toBe("● Run `make` → approved\n● Leave the folder → approved\n  ↳ Exit code 2\n");
});

test("the rows of a line with a sign begin below its words", () => {
  const { transcript, place } = drawn();
  transcript.line(`● ${"word ".repeat(20).trim()}`);
  expect(place.written).toBe(`● ${"word ".repeat(11).trim()}\n  ${"word ".repeat(9).trim()}\n`);
});

test("a failed command has its own sign, and the whole output of any call is kept by its number", () => {
  const { calls, results, place, transcript } = drawn();
  calls("Shell", { command: "make" });
  results("broken\n", { isError: true, display: [{ type: "brief", text: "Exit code 2" }] });
  calls("ReadFile", { path: "a" });
  results("one\ntwo");
  expect(place.written).toBe("✗ Shell make · Exit code 2\n  broken\n• ReadFile a · 2 lines\n");
  expect([transcript.output(1), transcript.output(2), transcript.output()]).toEqual([
    ["broken"],
    ["one", "two"],
    ["one", "two"],
  ]);
});

test("a call that prints 1 MB is kept in part, and says how much of it is not kept", () => {
  const { calls, results, place, transcript } = drawn();
  calls("Shell", { command: "yes" });
  results("y\n".repeat(500_000));
  const kept = transcript.output() ?? [];
  expect([kept.length, kept.at(-1)]).toEqual([131_073, "… 737856 more characters, which are not kept"]);
  expect(place.written.split("\n")).toHaveLength(11);
});

test("the lines that are not shown are those that were printed, also where most of them were not kept", () => {
  const { calls, results, place } = drawn();
  const kept = new KeptOutput(50_000);
  for (let line = 1; line <= 243_903; line += 1) kept.push(`${String(line).padStart(40, "0")}\n`);
  calls("Shell", { command: "yes" });
  results(kept.text());
  expect(place.written).toMatch(
    /3\n {2}… 243895 more lines \(\/output 1 shows what was not cut\)\n {2}0+243899\n/,
  );
  place.written = "";
  calls("Shell", { command: "foreign" });
  results("y\n".repeat(500_000));
  expect(place.written).toContain("… 499993 more lines (/output 2 shows what was not cut)");
});

test("a foreign agent's command is told once, and its list of tasks has its tasks", () => {
  const { calls, results, place, work, transcript } = drawn();
  calls("npm test", { command: "npm test" });
  results("", { display: [{ type: "shell", language: "sh", command: "npm test" }] });
  expect(place.written).toBe("• npm test\n");
  const todos = [
    { content: "Look", status: "completed" },
    { content: "Mend", status: "in_progress" },
  ];
  calls("2 todos", { todos });
  results("", { display: [{ type: "brief", text: "2 todos" }] });
  expect(work()).toEqual(["  [x] Look", "  [>] Mend"]);
  transcript.prompting(false);
  expect([work(), place.written]).toEqual([[], "• npm test\n  [x] Look\n  [>] Mend\n"]);
});

test("the end of a call never stands within a paragraph that still comes", () => {
  const { calls, says, results, place } = drawn();
  calls("ReadFile", { path: "a.txt" });
  says("Half a ");
  results("");
  says("line.");
  calls("ReadFile", { path: "b.txt" }, "d");
  expect(place.written).toBe("Half a line.\n• ReadFile a.txt\n");
});

test("the row below the prompt tells what runs and for how long, and changes nothing without a turn", () => {
  const told = { model: "small", status: undefined, waiting: 1 };
  const { transcript, status, clock, place } = drawn(() => told);
  expect(status()).toBe("  1 request waits · small");
  transcript.prompting(true);
  clock.pass(5_000);
  expect(status()).toMatch(/^ {2}[\u2800-\u28ff] works · 5 s · 1 request waits · Esc cancels · small$/);
  transcript.cancelling();
  expect(status()).toMatch(/cancelling · 5 s · 1 request waits · small$/);
  transcript.prompting(false);
  const { changes } = place;
  clock.pass(60_000);
  expect([status(), place.changes]).toEqual(["  1 request waits · small", changes]);
});

test("a notice is broken at blanks and stays set in, and lines that are shown as they came are not broken", () => {
  const { transcript, place } = drawn();
  const words = Array.from({ length: 14 }, (_, at) => `word${at}`).join(" ");
  transcript.line(`  ${words}`);
  expect(place.written).toBe(
    "  word0 word1 word2 word3 word4 word5 word6 word7 word8\n  word9 word10 word11 word12 word13\n",
  );
  place.written = "";
  transcript.line(`\u0007\u001b]9;askwire: called\u0007${words}`);
  expect(place.written).toBe(`\u0007\u001b]9;askwire: called\u0007${words.replace(" word10", "\nword10")}\n`);
  place.written = "";
  transcript.asTheyCame([words]);
  expect(place.written).toBe(`${words}\n`);
});

test("the last answer is kept as it was written", () => {
  const { says, calls, transcript } = drawn();
  says("# One\n");
  calls("ReadFile", {});
  says("**two**");
  calls("ReadFile", {}, "d");
  expect(transcript.answer).toBe("**two**");
});

test("what a sub-agent does stands below the title of its call, which is written once", () => {
  const { calls, results, place, transcript } = drawn();
  const acts = (id: string) => {
    const call = { type: "function", id, function: { name: "Act", arguments: "{}" } };
    const inner = { type: "ToolCall", payload: call };
    const payload = { parent_tool_call_id: "c", agent_id: "a", subagent_type: "coder", event: inner };
    transcript.event({ type: "SubagentEvent", payload } as unknown as WireEvent);
  };
  calls("Task", {});
  acts("1");
  acts("2");
  results("", { display: [{ type: "brief", text: "Done" }] });
  expect(place.written).toBe("• Task\n  • Act\n  • Act\n  ↳ Done\n");
});
