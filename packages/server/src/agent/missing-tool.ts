import type { ToolReturnValue } from "@askwire/protocol";
import type { Tool } from "./agent.js";
import { unknownTool } from "./tool-result.js";

/** Stands for a tool that does not exist: its calls end in an error like any that fail, and no hook hears of them. */
export class MissingTool implements Tool {
  readonly name: string;
  readonly description = "";
  readonly parameters = {};

  constructor(name: string) {
    this.name = name;
  }

  async call(): Promise<ToolReturnValue> {
    return unknownTool(this.name);
  }
}
