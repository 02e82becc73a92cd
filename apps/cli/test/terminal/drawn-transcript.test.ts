import { terminalWords } from "@askwire/client/words";
import type { WireEvent } from "@askwire/protocol";
import { expect, test } from "vitest";
import type { Live } from "../../src/lines/live-rows.js";
import { LeavingRows } from "../../src/lines/live-rows.js";
import { growingLines } from "../../src/markdown/growing-lines.js";
import { DrawnTranscript } from "../../src/terminal/drawn-transcript.js";
import type { StatusFacts } from "../../src/terminal/status-row.js";
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

test("a failed command has its own sign, and the whole output of any call is kept by its number", () => {
  const { calls, results, place, transcript } = drawn();
  calls("Shell", { command: "make" });
  results("broken\n", { isError: true, display: [{ type: "brief", text: "Exit code 2" }] });
  calls("ReadFile", { path: "a" });
  results("one\ntwo");
  expect(place.written).toBe("✗ Shell make · Exit code 2\n  broken\n• ReadFile a\n");
  expect([transcript.output(1), transcript.output(2), transcript.output()]).toEqual([
    ["broken"],
    ["one", "two"],
    ["one", "two"],
  ]);
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
  expect(status()).toMatch(/^ {2}[\u2800-\u28ff] works · 5 s · 1 request waits · small$/);
  transcript.cancelling();
  expect(status()).toContain("cancelling");
  transcript.prompting(false);
  const { changes } = place;
  clock.pass(60_000);
  expect([status(), place.changes]).toEqual(["  1 request waits · small", changes]);
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
