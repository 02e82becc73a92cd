import { readdirSync, readFileSync, statSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { entry, found, placesWith } from "./named-agents.js";

const variables = (text: string) => entry("mine", "x", `env = { ${text} }`);

describe("the command of a project's file", () => {
  test("a project's command fails with the next step where nobody can be asked to approve it", async () => {
    const places = await placesWith({ project: entry("mine", "x") });
    await expect(found("mine", places)).rejects.toMatchObject({
      exitCode: 2,
      message: `--agent mine: its command in ${places.projectFile} is not approved: askwire agents approve mine --work-dir "${places.workDir}"`,
    });
  });

  test("a project's command is asked about once, in full, and its approval is kept in a private file", async () => {
    const places = await placesWith({
      project: entry("mine", "x", 'protocol = "acp"\ninherit = ["A_KEY"]\nenv = { B = "1" }'),
    });
    const { asked, ...mine } = await found("mine", places, true);
    expect(mine).toEqual({ command: ["x"], protocol: "acp", inherit: ["A_KEY"], env: { B: "1" } });
    expect(asked).toEqual([
      [
        { ...mine, name: "mine", from: "project", file: places.projectFile, folder: places.workDir },
        "not_approved",
      ],
    ]);
    expect((await found("mine", places)).asked).toEqual([]);
    const kept = join(places.home, "approved-agents");
    const [file = ""] = readdirSync(kept);
    expect([statSync(kept).mode & 0o777, statSync(join(kept, file)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(JSON.parse(readFileSync(join(kept, file), "utf8"))).toMatchObject({
      name: "mine",
      folder: places.workDir,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("a project's command that the person does not approve fails, and is asked about again", async () => {
    const places = await placesWith({ project: entry("mine", "x") });
    await expect(found("mine", places, false)).rejects.toThrow(
      `--agent mine: its command in ${places.projectFile} is not approved`,
    );
    await expect(found("mine", places)).rejects.toThrow("is not approved: askwire agents approve mine");
  });

  test.each([
    ["its command", entry("mine", "y")],
    ["its protocol", entry("mine", "x", 'protocol = "wire"')],
    ["what it inherits", entry("mine", "x", 'inherit = ["OPENAI_API_KEY"]')],
    ["its variables", variables('NODE_OPTIONS = "--require ./x.js"')],
  ])("a project's command is asked about again when %s has changed", async (_what, changed) => {
    const places = await placesWith({ project: entry("mine", "x") });
    await found("mine", places, true);
    await writeFile(places.projectFile, changed);
    await expect(found("mine", places)).rejects.toThrow("has changed since it was approved");
    expect((await found("mine", places, true)).asked[0]?.[1]).toBe("changed");
    expect((await found("mine", places)).asked).toEqual([]);
  });

  test("a project's command stays approved where only the order of its variables or another agent changes", async () => {
    const places = await placesWith({ project: variables('A = "1", B = "2"') });
    await found("mine", places, true);
    await writeFile(places.projectFile, `${entry("other", "z")}${variables('B = "2", A = "1"')}`);
    expect((await found("mine", places)).command).toEqual(["x"]);
  });

  test("a project's command is approved for its folder, by whatever path that is reached, and for no other folder", async () => {
    const places = await placesWith({ project: entry("mine", "./x") });
    await found("mine", places, true);
    const link = join(await folderWith(), "link");
    await symlink(places.workDir, link);
    expect((await found("mine", { ...places, workDir: link })).command).toEqual(["./x"]);
    const { workDir } = await placesWith({ project: entry("mine", "./x") });
    await expect(found("mine", { ...places, workDir })).rejects.toThrow("is not approved");
  });

  test("a damaged file approves no command", async () => {
    const places = await placesWith({ project: entry("mine", "x") });
    await found("mine", places, true);
    const [file = ""] = readdirSync(join(places.home, "approved-agents"));
    await writeFile(join(places.home, "approved-agents", file), "{");
    await expect(found("mine", places)).rejects.toThrow("is not approved");
  });

  test("a project's command does not run where its approval cannot be kept", async () => {
    const places = await placesWith({ project: entry("mine", "x") });
    await writeFile(join(places.home, "approved-agents"), "");
    await expect(found("mine", places, true)).rejects.toThrow(
      /the approval of mine cannot be kept \(E.*\): set ASKWIRE_HOME to another folder/,
    );
  });

  test("a command needs no approval in the folder whose file is the user's own", async () => {
    const workDir = await folderWith({ ".askwire/config.toml": entry("mine", "x") });
    const env = { ASKWIRE_HOME: join(workDir, ".askwire") };
    expect((await found("mine", { workDir, env, machine: workDir })).command).toEqual(["x"]);
    await expect(found("other", { workDir, env, machine: workDir })).rejects.toThrow(
      "no agent has this name",
    );
  });
});
