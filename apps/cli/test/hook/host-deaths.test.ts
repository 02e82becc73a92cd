import { describe, expect, test } from "vitest";
import { deferred } from "../../../../scripts/deferred.js";
import { deaths, dyingHost, takenBack } from "../dying-host.js";
import { gatewayOf, newHome } from "../mcp/hosts.js";
import { someone } from "./someone.js";

const event = {
  ...{ hook_event_name: "PermissionRequest", session_id: "s1", cwd: "/work/shop" },
  ...{ tool_name: "Bash", tool_input: { command: "npm test" } },
};

/** A hook of a host that has asked, and the person who sees its card. */
async function askingHook(home: string) {
  const started = await dyingHost(home, ["hook", "claude"]);
  started.say(event);
  started.endInput();
  const decision = deferred<{ option: string }>();
  const person = await someone(home, { approval: () => decision.promise as never });
  await expect.poll(() => person.approvals.length, { timeout: 60_000 }).toBe(1);
  return { ...started, person, decision };
}

describe.skipIf(process.platform === "win32")("a Claude Code that dies", () => {
  test.each(deaths)("before it has said its event leaves no hook and no gateway: it %s", async (how) => {
    const home = await newHome();
    const { die, untilGone } = await dyingHost(home, ["hook", "claude"]);
    die(how);
    await untilGone();
    expect(gatewayOf(home)).toBeUndefined();
  });

  test.each(deaths)("in the middle of its event leaves no hook and no gateway: it %s", async (how) => {
    const home = await newHome();
    const { die, write, untilGone } = await dyingHost(home, ["hook", "claude"]);
    write(JSON.stringify(event).slice(0, 40));
    die(how);
    await untilGone();
    expect(gatewayOf(home)).toBeUndefined();
  });

  test("with its card open leaves no hook, and the card is taken back", async () => {
    const home = await newHome();
    const { die, untilGone, person } = await askingHook(home);
    die("is killed");
    await untilGone();
    await expect.poll(() => person.ends, { timeout: 60_000 }).toEqual([takenBack]);
  });

  test("before it has read the decision leaves no hook", async () => {
    const home = await newHome();
    const { die, freeze, untilGone, decision } = await askingHook(home);
    freeze();
    decision.resolve({ option: "once" });
    die("is killed");
    await untilGone();
  });

  test("in the end of its hook leaves no hook, and the card is taken back", async () => {
    const home = await newHome();
    const { die, pid, untilGone, person } = await askingHook(home);
    process.kill(pid, "SIGTERM");
    die("is killed");
    await untilGone();
    await expect.poll(() => person.ends, { timeout: 60_000 }).toEqual([takenBack]);
  });
});
