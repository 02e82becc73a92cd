import { realpath } from "node:fs/promises";
import { PROTOCOL_VERSION } from "@askwire/protocol";
import { isObject, want, wantSame } from "../../contract/expectations.js";
import { advice, type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import { beginTurn, finish, startTurn, takeInitialize, wantEnd, wantGoesOn } from "../conversation.js";
import { welcome } from "../server-messages.js";

/** A whole turn with a server that greets like this. */
async function greets(context: ClientContext, result: object): Promise<void> {
  const turn = await startTurn(context, {}, result);
  await wantGoesOn(turn);
  await finish(turn);
}

/** From the launch of the agent to the prompt. */
export const startChecks: readonly ClientCheck[] = [
  advice(
    check(
      "C01",
      "The agent is launched with --wire, in its work directory, and without DEBUG",
      ["P-CLI-10"],
      async (context) => {
        const client = await context.start({ env: { DEBUG: "*" } });
        const { argv, cwd, env } = await client.launched();
        want(argv.includes("--wire"), "--wire among the arguments", argv);
        const folder = argv[argv.indexOf("--work-dir") + 1];
        if (argv.includes("--work-dir")) wantSame("the agent's working directory", cwd, await real(folder));
        want(
          !Object.hasOwn(env, "DEBUG"),
          "an environment without DEBUG, which makes agents log",
          `DEBUG=${env.DEBUG}`,
        );
      },
    ),
  ),

  check(
    "C02",
    "The first line is initialize, with an id that is a text and a version",
    ["P-CLW-1", "P-FRM-5"],
    async (context) => {
      const client = await context.start();
      const agent = await client.launched();
      const { id, params } = await takeInitialize(agent);
      wantSame("the method of the first message", agent.messages[0]?.method, "initialize");
      want(typeof id === "string", "an id that is a text", id);
      const { protocol_version: version } = isObject(params) ? params : {};
      const readable = typeof version === "string" && /^\d+(\.\d+)*$/.test(version);
      want(readable, "a protocol_version such as 1.10", version);
    },
  ),

  ours(
    check("C77", "The version that the client declares is 1.10", [], async (context) => {
      const client = await context.start();
      const { params } = await takeInitialize(await client.launched());
      wantSame("protocol_version", isObject(params) ? params.protocol_version : params, PROTOCOL_VERSION);
    }),
  ),

  ours(
    check(
      "C03",
      "A server that does not know initialize (-32601) is prompted without it",
      ["P-CLI-3"],
      async (context) => {
        const client = await context.start();
        const agent = await client.launched();
        const { id } = await takeInitialize(agent);
        agent.send({
          id,
          error: { code: -32601, message: "Unexpected method received: initialize", data: null },
        });
        await finish(await beginTurn(client, agent));
      },
    ),
  ),

  check("C04", "A server of an older or newer version is taken", ["P-VER-1"], async (context) => {
    for (const protocol_version of ["1.9", "2.0"]) await greets(context, { ...welcome, protocol_version });
  }),

  check(
    "C05",
    "Members of initialize's result that are not known are ignored",
    ["P-ENV-10"],
    async (context) => {
      const server = { ...welcome.server, colour: "blue" };
      await greets(context, { ...welcome, server, capabilities: { supports_question: true, x: {} }, x: [1] });
    },
  ),

  ours(
    check(
      "C06",
      "A result of initialize without slash_commands ends the client, with no prompt",
      ["P-CLW-4"],
      async (context) => {
        const client = await context.start();
        const agent = await client.launched();
        const { id } = await takeInitialize(agent);
        const { slash_commands: _left, ...rest } = welcome;
        agent.send({ id, result: rest });
        await wantEnd(client, agent);
        const prompts = agent.messages.filter(({ method }) => method === "prompt");
        want(prompts.length === 0, "no prompt", prompts[0]);
      },
    ),
  ),

  ours(
    check("C07", "A server that never answers initialize is given up", ["P-CLI-3"], async (context) => {
      const client = await context.start();
      const agent = await client.launched();
      await takeInitialize(agent);
      await wantEnd(client, agent);
    }),
  ),
];

/** A folder that is not there is the failure of the check, not of the suite. */
async function real(folder: string | undefined): Promise<string> {
  return folder === undefined ? "a folder after --work-dir" : realpath(folder).catch(() => folder);
}
