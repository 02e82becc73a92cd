import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type AskApproval, namedCommand } from "../../src/by-name/named-command.js";
import { folderWith } from "../askwire.js";

/** The texts of the files that name agents, each undefined where there is none. */
export interface Files {
  readonly user?: string;
  readonly machine?: string;
  readonly project?: string;
}

/** Folders of a user, a machine and a project, with these files. */
export async function placesWith({ user, machine, project }: Files) {
  const file = (text: string | undefined, name = "config.toml"): Record<string, string> =>
    text === undefined ? {} : { [name]: text };
  const home = await folderWith(file(user));
  const workDir = await realpath(await folderWith(file(project, ".askwire/config.toml")));
  return {
    home,
    workDir,
    projectFile: join(workDir, ".askwire", "config.toml"),
    env: { ASKWIRE_HOME: home },
    machine: await folderWith(file(machine)),
  };
}

type Places = Omit<Awaited<ReturnType<typeof placesWith>>, "home" | "projectFile">;

/** Finds a command by its name, with a person who gives this answer, or nobody. */
export async function found(name: string, places: Places, answer?: boolean) {
  const asked: Parameters<AskApproval>[] = [];
  const ask: AskApproval = async (...args) => {
    asked.push(args);
    return answer === true;
  };
  const entry = await namedCommand(name, { ...places, ask: answer === undefined ? undefined : ask });
  return { ...entry, asked };
}

/** An entry of a configuration, in TOML. */
export const entry = (name: string, program: string, more = "") =>
  `[agents.${name}]\ncommand = ["${program}"]\n${more}\n`;
