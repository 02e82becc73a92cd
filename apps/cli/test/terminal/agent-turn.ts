import { inTurn as inAnyTurn } from "../panel/in-turn.js";

/** `askwire chat --plain` in the middle of a turn, whose agent can also call tools. */
export async function inTurn(columns = 80, env: Readonly<Record<string, string>> = {}) {
  const turn = await inAnyTurn({ args: ["--plain"], columns, env });
  return {
    ...turn,
    /** By default the call whose question `asks` puts to the person. */
    calls: (name: string, text: string | null, id = "tc-r") =>
      turn.event("ToolCall", { type: "function", id, function: { name, arguments: text } }),
    part: (text: string) => turn.event("ToolCallPart", { arguments_part: text }),
  };
}
