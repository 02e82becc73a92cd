import { describe, expect, test } from "vitest";
import type { ClientHook } from "../src/index.js";
import { rawServer } from "./raw-server.js";

const asking = (subscription_id: string, id = "h-1") => ({
  id,
  subscription_id,
  event: "PreToolUse",
  target: "Shell",
  input_data: { command: "rm -r build" },
});

const known = { hooks: { supported_events: ["PreToolUse", "Stop"], configured: {} } };

/** A client with one hook, and the id that it was given. */
async function withHook(run: ClientHook["run"], more: Partial<ClientHook> = {}) {
  const problems: string[] = [];
  const server = await rawServer(
    { hooks: [{ event: "PreToolUse", run, ...more }], onProblem: (problem) => void problems.push(problem) },
    "1.10",
    known,
  );
  const [hook] = (server.initialize.params as { hooks: { id: string }[] }).hooks;
  return { ...server, problems, id: hook?.id as string };
}

describe("hooks are subscribed by the client (P-CLI-6)", () => {
  test("a client subscribes each hook under its own id, with Kimi's defaults", async () => {
    const problems: string[] = [];
    const { initialize } = await rawServer(
      {
        hooks: [
          { event: "PreToolUse", matcher: "Shell|Write", timeout: 5, run: () => "allow" },
          { event: "Stop", run() {} },
        ],
        onProblem: (problem) => void problems.push(problem),
      },
      "1.10",
      known,
    );
    const { hooks } = initialize.params as { hooks: { id: string }[] };
    expect(hooks).toMatchObject([
      { event: "PreToolUse", matcher: "Shell|Write", timeout: 5 },
      { event: "Stop", matcher: "", timeout: 30 },
    ]);
    expect(new Set(hooks.map(({ id }) => id)).size).toBe(2);
    expect(problems).toEqual([]);
  });

  test.each([
    ["an event that the server does not know", "1.10", known],
    ["a server without hooks", "1.6", {}],
    ["a server without initialize", null, {}],
  ])("a subscription that cannot hold is reported: %s", async (_what, version, offers) => {
    const problems: string[] = [];
    const hooks = [{ event: "PostCompact", run() {} }];
    await rawServer({ hooks, onProblem: (problem) => void problems.push(problem) }, version, offers);
    expect(problems).toEqual(['the server has no hook "PostCompact"']);
  });
});

describe("a hook is answered by its subscription (P-CLI-6)", () => {
  test("a hook sees its subject, and may block with a reason", async () => {
    const seen: unknown[] = [];
    const { ask, next, id } = await withHook((input, { signal }) => {
      seen.push(input, signal.aborted);
      return { block: "not in build/" };
    });
    ask("HookRequest", asking(id));
    expect(await next()).toMatchObject({
      id: "h-1",
      result: { request_id: "h-1", action: "block", reason: "not in build/" },
    });
    expect(seen).toEqual([asking(id), false]);
  });

  test("the hook that is named runs, of several", async () => {
    const ran: string[] = [];
    const hooks = ["PreToolUse", "Stop"].map((event) => ({ event, run: () => void ran.push(event) }));
    const { ask, next, initialize } = await rawServer({ hooks }, "1.10", known);
    const subscribed = (initialize.params as { hooks: { id: string }[] }).hooks;
    ask("HookRequest", asking(subscribed[1]?.id as string));
    await next();
    expect(ran).toEqual(["Stop"]);
  });

  const allowed = { id: "h-1", result: { request_id: "h-1", action: "allow", reason: "" } };

  test.each<[string, () => unknown]>([
    ["nothing", () => {}],
    ['"allow"', () => "allow"],
    ['"allow" later', async () => "allow"],
  ])("a hook that gives back %s allows, without a word in the log", async (_what, run) => {
    const { ask, next, id, problems } = await withHook(run as ClientHook["run"]);
    ask("HookRequest", asking(id));
    expect(await next()).toMatchObject(allowed);
    expect(problems).toEqual([]);
  });

  test("a hook subscribed to block does so when it fails, with the cause (P-CLI-6)", async () => {
    const fail = () => {
      throw new Error("no policy");
    };
    const { ask, next, id, initialize, problems } = await withHook(fail, { onFailure: "block" });
    expect(initialize.params).toMatchObject({ hooks: [{ on_failure: "block" }] });
    ask("HookRequest", asking(id));
    expect(await next()).toMatchObject({
      result: { request_id: "h-1", action: "block", reason: "the hook failed: Error: no policy" },
    });
    expect(problems).toEqual(["hook PreToolUse: Error: no policy: it blocks"]);
  });

  test.each([
    ["a symbol", Symbol("no")],
    ["an object without a prototype", Object.create(null)],
  ])("a hook subscribed to block does so when it throws %s", async (_what, thrown) => {
    const fail = () => {
      throw thrown;
    };
    const { ask, next, id } = await withHook(fail, { onFailure: "block" });
    ask("HookRequest", asking(id));
    expect(await next()).toMatchObject({ result: { action: "block" } });
  });

  test.each<[string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("no policy");
      },
      "no policy",
    ],
    ["rejects", () => Promise.reject(new Error("no policy")), "no policy"],
    ["gives back null", () => null, ""],
    ["gives back another word", () => "deny", 'expected "allow" or {block: reason}'],
    ["blocks without a reason", () => ({ block: true }), 'expected "allow" or {block: reason}'],
  ])("a hook that %s allows, and that is reported", async (_what, run, problem) => {
    const { ask, next, id, problems } = await withHook(run as ClientHook["run"]);
    ask("HookRequest", asking(id));
    expect(await next()).toMatchObject(allowed);
    expect(problems).toEqual([expect.stringMatching(/^hook PreToolUse: .*: it allows$/)]);
    expect(problems[0]).toContain(problem);
  });

  test("an unknown subscription is allowed and reported, also without any hook", async () => {
    const { ask, next, problems } = await withHook(() => ({ block: "unreached" }));
    ask("HookRequest", asking("somebody's"));
    expect(await next()).toMatchObject(allowed);
    expect(problems.join()).toContain('no subscription "somebody\'s"');
    const without = await rawServer();
    without.ask("HookRequest", asking("somebody's"));
    expect(await without.next()).toMatchObject(allowed);
  });

  test("a hook that never answers allows when the turn ends, and its signal says so", async () => {
    let signal: AbortSignal | undefined;
    const { ask, next, event, id } = await withHook((_input, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    ask("HookRequest", asking(id));
    event("TurnEnd");
    expect(await next()).toMatchObject(allowed);
    expect(signal?.aborted).toBe(true);
  });
});

describe("other hooks and tools count once the server has taken them", () => {
  const ids = ({ params }: object & { params?: unknown }) =>
    (params as { hooks: { id: string }[] }).hooks.map(({ id }) => id);

  /** A client with one hook that declares two others, and what ran. */
  async function declaring() {
    const ran: string[] = [];
    const hook = (name: string) => ({ event: "PreToolUse", run: () => void ran.push(name) });
    const tool = (name: string) => ({
      ...{ name, description: "", parameters: { type: "object" } },
      run: () => {
        ran.push(name);
        return "";
      },
    });
    const server = await rawServer({ hooks: [hook("first")], tools: [tool("Old")] }, "1.10", known);
    const declared = server.session.declare({ hooks: [hook("second"), hook("third")], tools: [tool("New")] });
    declared.catch(() => {});
    const told = await server.next();
    return { ...server, ran, declared, told, first: ids(server.initialize)[0] as string };
  }

  test("a refused declaration of hooks and tools changes nothing, and calls no hook for another", async () => {
    const { ran, declared, told, first, fail, ask, next } = await declaring();
    fail(told.id, -32602);
    await expect(declared).rejects.toThrow();
    for (const id of [first, ...ids(told)]) {
      ask("HookRequest", asking(id));
      await next();
    }
    for (const name of ["Old", "New"]) {
      ask("ToolCallRequest", { id: name, name, arguments: "{}" });
      await next();
    }
    expect(ran).toEqual(["first", "Old"]);
  });

  test("an accepted declaration of hooks and tools is all that counts, from its acceptance on", async () => {
    const { ran, declared, told, first, reply, ask, next } = await declaring();
    const [second = "", third = ""] = ids(told);
    // The server has taken it, and calls before its reply.
    ask("HookRequest", asking(third));
    await next();
    reply(told.id, { protocol_version: "1.10", server: { name: "raw", version: "0" }, slash_commands: [] });
    await declared;
    for (const id of [first, second]) {
      ask("HookRequest", asking(id));
      await next();
    }
    expect(ran).toEqual(["third", "second"]);
  });
});
