// The entry in the extension host: tries the cases one after the other, and tells how each ended.
import * as code from "vscode";
import { cases } from "./cases/cases.js";
import { extensionOf, type Inside } from "./inside.js";
import { personAt } from "./person.js";

/** The address of the test file, put in by its build. */
declare const TESTER: string;

/** Closes sessions and editors, so that the next case begins with none. */
async function tidy(inside: Inside): Promise<void> {
  const { chats } = extensionOf(inside)?.exports ?? {};
  for (const { id } of chats?.all.current() ?? []) await chats?.end(id);
  await code.commands.executeCommand("notifications.clearAll");
  await code.commands.executeCommand("workbench.action.closeAllEditors");
}

export async function run(): Promise<void> {
  const { ended, ...person } = personAt(TESTER);
  const inside = { code, person };
  for (const [name, attempt] of Object.entries(cases)) {
    try {
      await attempt(inside);
      await tidy(inside);
      await ended({ name });
    } catch (error) {
      await ended({ name, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      await tidy(inside).catch(() => {});
    }
  }
}
