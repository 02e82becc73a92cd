import type { ApprovalView } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { approvalView, enter, panelRoom, requestContext, settled } from "./room.js";

const options: NonNullable<ApprovalView["options"]> = [
  { id: "once", label: "Approve", kind: "allow" },
  { id: "no", label: "Reject", kind: "reject" },
];
const command = { content: "npm test", language: "bash", max_length: 100 };
const commandView = () => approvalView({ options, edit: command });

/** A person with an editor that saves these texts, one after the other, and what it was given. */
async function withEditor(...saved: (string | Error)[]) {
  const opened: [text: string, name: string][] = [];
  const room = await panelRoom({
    async edit(text, name) {
      opened.push([text, name]);
      const next = saved.shift();
      if (next instanceof Error) throw next;
      return next ?? text;
    },
  });
  return { ...room, opened };
}

describe("a text that may be changed before it is approved (P-XAO-3)", () => {
  test("the row that opens the editor approves nothing when the text is saved: the change is shown, and Enter on a row answers", async () => {
    const room = await withEditor("npm run lint");
    const { reply } = await room.asksApproval(commandView());
    expect(room.frame()).toMatch(/3\. Change it first \(e\)/);
    await room.type("e", enter);
    expect(room.opened).toEqual([["npm test", "command.sh"]]);
    // The panel is new: it takes no keys for half a second.
    await room.type("y", enter);
    await room.settled();
    expect(room.frame()).toMatch(/Your change:[\s\S]*-npm test[\s\S]*\+npm run lint[\s\S]*Change it again/);
    await room.type("y", enter);
    expect(await reply).toEqual({ option: "once", edited: "npm run lint" });
    expect(room.written()).toMatch(
      /^● Run `npm test` → approved, with your change\n {2}Your change:\n {2}1 -npm test\n {2}1 \+npm run lint\n$/,
    );
  });

  test("a changeable text is shown where the description does not have it, and so is a block of unknown type", async () => {
    const room = await withEditor();
    const display = [{ type: "chart", data: { rows: 3 } }];
    await room.asksApproval(approvalView({ options, edit: command, description: "Check all", display }));
    expect(room.frame()).toMatch(/"rows": 3[\s\S]*\$ npm test/);
  });

  test("a changed text is opened again as it was saved, and a text saved as it was counts as unchanged", async () => {
    const room = await withEditor("npm run lint", "npm test");
    const { reply } = await room.asksApproval(commandView());
    await room.type("e", enter);
    await room.settled();
    await room.type("e", enter);
    await room.settled();
    expect(room.opened.map(([text]) => text)).toEqual(["npm test", "npm run lint"]);
    expect(room.frame()).not.toContain("Your change");
    await room.type("y", enter);
    expect(await reply).toEqual({ option: "once" });
  });

  test("a changed text does not go with a rejection", async () => {
    const room = await withEditor("rm -rf .");
    const { reply } = await room.asksApproval(commandView());
    await room.type("e", enter);
    await room.settled();
    await room.type("not that", enter);
    expect(await reply).toEqual({ option: "no", feedback: "not that" });
  });

  test("the editor gets the name of the file, for its colours", async () => {
    const room = await withEditor();
    await room.asksApproval(approvalView({ edit: { content: "x", path: "src/a.ts", max_length: 9 } }));
    await room.type("e", enter);
    await room.settled();
    expect(room.opened).toEqual([["x", "src/a.ts"]]);
  });

  test("a text stays unchanged where the editor fails, and a line says so", async () => {
    const room = await withEditor(new Error("nano: exit code 127"));
    const { reply } = await room.asksApproval(commandView());
    await room.type("e", enter);
    await room.settled();
    expect(room.written()).toBe("(nothing was changed: nano: exit code 127)\n");
    await room.type("y", enter);
    expect(await reply).toEqual({ option: "once" });
  });

  test("a text that the server refuses is shown again with the reason and the changes", async () => {
    const room = await withEditor(" ");
    const view = commandView();
    const { reply } = await room.asksApproval(view);
    await room.type("e", enter);
    await room.settled();
    await room.type("y", enter);
    expect(await reply).toEqual({ option: "once", edited: " " });
    const issues = [{ question_id: null, code: "edited", message: "edited: expected a command" }];
    void room.person.approval(view, requestContext(issues).context);
    await room.settled();
    expect(room.frame()).toContain("edited: expected a command");
    expect(room.frame()).toContain("Change it again");
  });

  test("the editor's text goes nowhere once another client has answered, and the prompt comes back", async () => {
    let save: (text: string) => void = () => {};
    const room = await panelRoom({
      edit: () =>
        new Promise((resolve) => {
          save = resolve;
        }),
    });
    const { context, settle } = requestContext();
    const reply = Promise.resolve(room.person.approval(commandView(), context)).catch(() => "gone");
    await room.settled();
    await room.type("e", enter);
    settle();
    expect(await reply).toBe("gone");
    save("echo late");
    await settled();
    await room.pass(1_000);
    expect(room.terminal.borrower).toBeUndefined();
    expect(room.written()).toContain("no longer open: somebody in phone answered it");
  });

  test("requests that come while the editor is open wait until it has ended", async () => {
    let save: (text: string) => void = () => {};
    const room = await panelRoom({
      edit: () =>
        new Promise((resolve) => {
          save = resolve;
        }),
    });
    const { reply } = await room.asksApproval(commandView());
    await room.type("e", enter);
    const frame = room.frame();
    const second = room.person.approval(approvalView({ description: "Another" }), requestContext().context);
    await room.pass(2_000);
    expect(room.frame()).toBe(frame);
    save("npm run lint");
    await room.settled();
    expect(room.frame()).toContain("Your change");
    await room.type("y", enter);
    expect(await reply).toEqual({ option: "once", edited: "npm run lint" });
    await room.settled();
    await room.type("y", enter);
    expect(await second).toBe("approve");
  });

  test("there is no row for the editor where there is no editor, or nothing to change", async () => {
    const without = await panelRoom();
    await without.asksApproval(commandView());
    expect(without.frame()).not.toContain("Change it");
    const room = await withEditor();
    await room.asksApproval(approvalView({ options }));
    expect(room.frame()).not.toContain("Change it");
  });
});
