import { execFileSync, spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asksLine, colour, command, folderWith } from "../askwire.js";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
/** The sessions of tmux that are closed. Default: one for each way. */
const CLOSINGS = Number(process.env.TMUX_CLOSINGS ?? 4);

const write = {
  id: "tc-1",
  name: "WriteFile",
  arguments: JSON.stringify({ path: "a.txt", content: "a" }),
};
const scripts = [
  [asksLine([colour]), "text: Thanks."],
  [`tool_call: ${JSON.stringify(write)}`, "text: Thanks."],
];
const ways = ["kill-session", "kill-window", "kill-pane", "kill-server"];

/** The text on the screen once the person can answer. */
const SHOWN = /Esc decline|Esc reject/;

test.skipIf(!hasTmux)(
  "no end of a tmux session, window, pane or server answers what a person has open there (P-WHO-1)",
  async () => {
    for (let at = 0; at < CLOSINGS; at += 1) {
      const home = await folderWith();
      const cwd = await folderWith({ "s.json": JSON.stringify(scripts[(at + (at >> 2)) % 2]) });
      const socket = join(home, "tmux");
      const tmux = (...args: readonly string[]) =>
        execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
          cwd,
          encoding: "utf8",
          stdio: "pipe",
        });
      const line = [process.execPath, command, "chat", "--script", "s.json", "--prompt", "go"];
      const env = ["-e", `ASKWIRE_HOME=${home}`, "-e", "LC_ALL=C.UTF-8"];
      onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
      tmux("new-session", "-d", "-x", "100", "-y", "30", ...env, ...line);
      await expect.poll(() => tmux("capture-pane", "-p")).toMatch(SHOWN);
      tmux(ways[at % ways.length] as string);
      const journal = async () => {
        const found = (await readdir(home, { recursive: true })).find((file) => file.endsWith("wire.jsonl"));
        return await readFile(join(home, found ?? ""), "utf8");
      };
      await expect.poll(journal).toContain("TurnSuspended");
      expect(await journal()).not.toMatch(/InteractionSettled|ApprovalResponse|TurnEnd/);
    }
  },
);
