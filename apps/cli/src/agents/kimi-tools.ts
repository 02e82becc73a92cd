const paths = {
  "kimi_cli.tools.shell": { Shell: true },
  "kimi_cli.tools.file": {
    ReadFile: true,
    WriteFile: true,
    StrReplaceFile: true,
    ReadMediaFile: false,
    Glob: false,
    Grep: false,
  },
  "kimi_cli.tools.todo": { SetTodoList: true },
  "kimi_cli.tools.ask_user": { AskUserQuestion: true },
  "kimi_cli.tools.plan": { ExitPlanMode: true },
  "kimi_cli.tools.plan.enter": { EnterPlanMode: true },
  "kimi_cli.tools.agent": { Agent: false },
  "kimi_cli.tools.background": { TaskList: false, TaskOutput: false, TaskStop: false },
  "kimi_cli.tools.web": { SearchWeb: false, FetchURL: false },
  "kimi_cli.tools.dmail": { SendDMail: false },
  "kimi_cli.tools.think": { Think: false },
};

/**
 * The tools of Kimi CLI by their names in agent files, each with its name here; undefined for a tool that this
 * command lacks.
 */
export const kimiTools: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries(paths).flatMap(([module, names]) =>
    Object.entries(names).map(([name, isHere]) => [`${module}:${name}`, isHere ? name : undefined] as const),
  ),
);
