// An approval whose difference is shown: the steps that several cases take.
import { begin, cardAfter, fileOf, type Inside, until } from "./inside.js";

/** The tabs of the difference editors that are open. */
export const differences = ({ code }: Inside) =>
  code.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof code.TabInputTextDiff);

/** A session whose agent waits for the approval of a change, with the tab of the difference. */
export async function proposed(inside: Inside) {
  const before = new TextEncoder().encode('"apples"\n');
  await inside.code.workspace.fs.writeFile(fileOf(inside, "cart.json"), before);
  const chat = await begin(inside);
  const card = await cardAfter(chat, "write");
  const tab = await until("a difference editor", () => differences(inside)[0]);
  return { chat, card, tab, input: tab.input as InstanceType<Inside["code"]["TabInputTextDiff"]> };
}
