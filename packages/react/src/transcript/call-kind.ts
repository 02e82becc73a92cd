import type { TalkWords } from "@askwire/client/words";
import type { IconName } from "../looks/icon.js";

/** The kinds of tools by words in their names, the first that fits. */
const kinds: readonly {
  readonly name: RegExp;
  readonly icon: IconName;
  readonly verb?: keyof TalkWords["did"];
}[] = [
  { name: /todo/i, icon: "list" },
  { name: /shell|bash|terminal|command|exec/i, icon: "command", verb: "ran" },
  { name: /edit|replace|patch/i, icon: "pen", verb: "changed" },
  { name: /write/i, icon: "pen", verb: "wrote" },
  { name: /grep|glob|search|find/i, icon: "search", verb: "searched" },
  { name: /fetch|http|url/i, icon: "globe", verb: "fetched" },
  { name: /read|view/i, icon: "file", verb: "read" },
  { name: /agent|^task$/i, icon: "agent" },
];

/** The sign of a tool, and the word for what it did where its name tells. */
export const callKind = (name: string): { readonly icon: IconName; readonly verb?: keyof TalkWords["did"] } =>
  kinds.find((kind) => kind.name.test(name)) ?? { icon: "tool" };
