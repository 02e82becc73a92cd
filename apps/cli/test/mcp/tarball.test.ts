import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { colour, newHome, personAt, startHost } from "./hosts.js";

const execute = promisify(execFile);
const app = fileURLToPath(new URL("../..", import.meta.url));

test("the packed command in an empty folder gets its first question answered with nothing else installed", async () => {
  const folder = await folderWith();
  // The bundle is made before the tests: packing must not write it anew under other programs.
  await execute("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: app });
  const quiet = ["--no-audit", "--no-fund", "--offline", "--ignore-scripts"];
  await execute("npm", ["install", ...quiet, "./askwire-0.1.0.tgz"], { cwd: folder });
  const home = await newHome();
  const program = join(folder, "node_modules/askwire/bin/askwire.js");
  const host = await startHost(home, { program });
  const called = host.call("ask_user_question", { questions: [colour] });
  const person = await personAt(home);
  (await person.asked()).answer("Red");
  expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Red" } });
});
