import { expect, onTestFinished } from "vitest";
import { mortalEngine } from "../../../../scripts/postgres-engine.js";
import { administrator } from "../at-work.js";
import { type Follower, followerOf } from "../follower.js";
import { type DeafConnections, deafConnections } from "./deaf-connections.js";

/** An engine with a synchronous standby, behind one address. */
export interface FailingEngines {
  readonly url: string;
  /** The way of the nodes to the engine, which is the far side. */
  readonly way: DeafConnections;
  /** The way of the standby to the engine. */
  readonly standby: DeafConnections;
  /** Kills the engine, and has its standby take its place, with a standby of its own. */
  failOver(): Promise<void>;
  /** Rows of the engine of this moment. */
  query<Row extends object>(text: string): Promise<Row[]>;
}

const urlOf = (port: number) => `postgres://askwire@127.0.0.1:${port}/postgres`;

/** Starts both; they end with the test. */
export async function failingEngines(): Promise<FailingEngines> {
  const first = await mortalEngine();
  onTestFinished(() => first[Symbol.asyncDispose]());
  let engine: Pick<Follower, "port" | "folder" | "programs" | "kill"> = first;
  const way = await deafConnections(() => engine.port);
  const standby = await deafConnections(() => engine.port);
  onTestFinished(way.close);
  onTestFinished(standby.close);
  let db = await administrator(first.url);
  const query = async <Row extends object>(text: string) => (await db.query<Row>(text)).rows;
  // Its standby has the setting from it: one that takes its place acknowledges nothing before it has one in turn.
  await query("alter system set synchronous_standby_names = 'follower'");
  await query("select pg_reload_conf()");
  const followed = async () => {
    const follower = await followerOf({ ...engine, port: standby.port });
    const state = () => query("select sync_state from pg_stat_replication");
    await expect.poll(state).toEqual([{ sync_state: "sync" }]);
    return follower;
  };
  let follower = await followed();
  return {
    ...{ way, standby, query },
    url: urlOf(way.port),
    async failOver() {
      await engine.kill();
      await follower.promote();
      engine = follower;
      db = await administrator(urlOf(engine.port));
      way.cut();
      standby.cut();
      follower = await followed();
    },
  };
}
