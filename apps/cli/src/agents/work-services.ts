import { planModeTools } from "@askwire/agent";
import type { Service } from "@askwire/dialects";
import type { Tool } from "@askwire/server";
import { workTools } from "../tools/index.js";

/** The service of each tool of the command, in the order in which a model reads them. */
const services = [
  { id: "files", description: "Reads and changes files of the folder.", aliases: ["file", "filesystem"] },
  { id: "shell", description: "Runs commands in the folder.", aliases: ["bash", "terminal"] },
  { id: "tasks", description: "Keeps the list of what is to be done.", aliases: ["todo"] },
  { id: "plan", description: "Plans before anything is changed.", aliases: ["planning"] },
] as const;

const serviceOf: Readonly<Record<string, (typeof services)[number]["id"]>> = {
  ReadFile: "files",
  WriteFile: "files",
  StrReplaceFile: "files",
  Shell: "shell",
  SetTodoList: "tasks",
  EnterPlanMode: "plan",
  ExitPlanMode: "plan",
};

/** The tools of the command's agent as services, for one session of a model that sees only names (P-01). */
export function workServices(workDir: string): Service[] {
  const tools: readonly Tool[] = [...workTools({ workDir }), ...planModeTools];
  return services.map((service) => ({
    ...service,
    actions: tools.filter(({ name }) => serviceOf[name] === service.id).map((tool) => ({ tool })),
  }));
}
