import { option } from "@askwire/protocol/internal";
import { type Model, ModelError } from "@askwire/server";
import { readScript, ScriptError, type ScriptStep } from "./script.js";

/**
 * Makes a model that replays scripts, one for each call, for tests, demos and conformance. The lines are those of
 * Kimi's scripted echo provider. A wrong script, or a call without a script, is a provider error that says so.
 *
 * @throws TypeError for scripts that are no array of strings.
 */
export function scriptedModel(scripts: readonly string[], name = "scripted"): Model {
  if (!option.texts.fits(scripts))
    throw new TypeError(`scriptedModel: scripts: expected ${option.texts.expected}`);
  let next = 0;
  return {
    name,
    async *stream() {
      const script = scripts[next];
      next += 1;
      if (script === undefined) {
        throw new ModelError(
          "script",
          `the script list is exhausted: call ${next}, ${scripts.length} scripts`,
        );
      }
      for (const step of read(script, next)) {
        if (step.type === "error") throw step.error;
        yield step;
      }
    },
  };
}

function read(script: string, number: number): ScriptStep[] {
  try {
    return readScript(script);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    throw new ModelError("script", `script ${number}, line ${error.line}: ${error.message}`);
  }
}

/**
 * Reads a file of scripts: a JSON array of strings. Checks every line, to find mistakes before the first call.
 *
 * @param source the file's name, for messages.
 * @throws Error with one line: the file, the place and the expected value.
 */
export function readScripts(text: string, source: string): string[] {
  let scripts: unknown;
  try {
    scripts = JSON.parse(text);
  } catch (error) {
    throw new Error(
      `${source}: expected a JSON array of scripts (${(error as Error).message.replace(/\s+/g, " ")})`,
    );
  }
  if (!Array.isArray(scripts))
    throw new Error(`${source}: expected a JSON array of scripts, one string for each model call`);
  for (const [index, script] of scripts.entries()) {
    if (typeof script !== "string")
      throw new Error(`${source}: script ${index + 1}: expected a string of lines`);
    try {
      readScript(script);
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      throw new Error(`${source}: script ${index + 1}, line ${error.line}: ${error.message}`);
    }
  }
  return scripts as string[];
}
