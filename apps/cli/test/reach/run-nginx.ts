import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { folderWith } from "../askwire.js";

/** True where nginx is installed. */
export const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

/**
 * Runs nginx with its files in a folder of its own until the test ends, once it listens at the port.
 *
 * @param http what stands in the block `http` of its configuration.
 */
export async function runNginx(port: number, http: string): Promise<void> {
  const folder = await folderWith({});
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const conf = `daemon off; worker_processes 1; error_log stderr; pid ${join(folder, "pid")};
events { worker_connections 64; }
http { ${temporary.join(" ")} ${http} }
`;
  const file = join(await folderWith({ "nginx.conf": conf }), "nginx.conf");
  const child = spawn("nginx", ["-p", folder, "-c", file, "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGQUIT");
    await ended;
  });
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).once("error", () => resolve(false));
      socket.unref().once("connect", () => socket.destroy());
    });
  while (!(await isOpen())) if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
}
