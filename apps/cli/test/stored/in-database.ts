import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { expect, onTestFinished } from "vitest";
import { administrator, freshSchema } from "../../../../packages/postgres/test/at-work.js";
import { deferred } from "../../../../scripts/deferred.js";
import { sharedEngine } from "../../../../scripts/postgres-engine.js";
import { colourScript, folderWith, startServe } from "../askwire.js";

/** A work folder with a model that asks, a home, and a schema of the shared engine. */
export async function placeWithDatabase() {
  const cwd = await folderWith({ "ask.json": colourScript, "say.json": JSON.stringify(["text: Hello."]) });
  const home = await folderWith();
  const schema = freshSchema();
  const { url } = await sharedEngine();
  const env = { ...process.env, ASKWIRE_HOME: home, ASKWIRE_INBOX: "0" };
  const db = await administrator();
  onTestFinished(async () => void (await db.query(`drop schema if exists ${schema} cascade`)));
  const store = ["--store", url, "--store-schema", schema];
  return {
    cwd,
    home,
    env,
    schema,
    store,
    db,
    serve: (...args: string[]) =>
      startServe(["--script", "ask.json", "--session", "mine", ...args], { cwd, env }),
    /** The rows of a table, of which nobody else knows. */
    async rows(text: string): Promise<readonly Record<string, unknown>[]> {
      return (await db.query(text.replaceAll("$schema", schema))).rows;
    },
    /** Ends all leases, as ten seconds do. */
    endLeases: async () => void (await db.query(`delete from ${schema}.node`)),
  };
}

/** Prompts at an address until the question is there, and leaves it open. Gives its id. */
export async function askedAt(address: string): Promise<string> {
  const asked = deferred<string>();
  const session = await connectWebSocket(address, {
    handlers: {
      question({ id }) {
        asked.resolve(id);
        return new Promise(() => {});
      },
    },
    onProblem: () => {},
    reconnect: false,
  });
  onTestFinished(() => session.close().catch(() => {}));
  session.prompt("Choose a colour").result.catch(() => {});
  return asked.promise;
}

/** Answers the questions that are open at an address with Red, and gives their ids once the turn has ended. */
export async function answeredAt(address: string): Promise<string[]> {
  const ids: string[] = [];
  const session = await connectWebSocket(address, {
    handlers: {
      question({ id }) {
        ids.push(id);
        return { answers: { "Which colour?": "Red" } };
      },
    },
  });
  await expect.poll(() => story(session)).toEqual(whole);
  await session.close();
  return ids;
}

/** The types of the events that say what happened, in their order. */
async function story(session: ClientSession): Promise<string[]> {
  const types: string[] = [];
  await session.replay({ event: ({ type }) => void types.push(type) });
  return types.filter((type) => whole.includes(type));
}
const whole = ["TurnBegin", "InteractionSettled", "TurnEnd"];
