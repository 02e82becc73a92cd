import { expect, onTestFinished } from "vitest";
import { mortalEngine } from "../../../scripts/postgres-engine.js";
import { administrator } from "./at-work.js";
import { type DeafConnections, deafConnections } from "./deaf-connections.js";
import { type Follower, followerOf } from "./follower.js";

/** An engine with a synchronous standby, behind one address. */
export interface FailingEngines extends Pick<DeafConnections, "deafFor"> {
  readonly url: string;
  /** Kills the engine, and has its standby take its place, with a standby of its own. */
  failOver(): Promise<void>;
  /** The address of the engine of this moment. */
  now(): string;
}

const urlOf = (port: number) => `postgres://askwire@127.0.0.1:${port}/postgres`;

/** Starts both; they end with the test. */
export async function failingEngines(): Promise<FailingEngines> {
  const first = await mortalEngine();
  onTestFinished(() => first[Symbol.asyncDispose]());
  let engine: Pick<Follower, "port" | "folder" | "programs" | "kill"> = first;
  let follower = await followerOf(first);
  const way = await deafConnections(() => engine.port);
  onTestFinished(way.close);
  const db = await administrator(first.url);
  await db.query("alter system set synchronous_standby_names = 'follower'");
  await db.query("select pg_reload_conf()");
  const isFollowed = async () => (await db.query("select sync_state from pg_stat_replication")).rows;
  await expect.poll(isFollowed).toEqual([{ sync_state: "sync" }]);
  return {
    url: urlOf(way.port),
    deafFor: way.deafFor,
    now: () => urlOf(engine.port),
    async failOver() {
      await engine.kill();
      follower.promote();
      engine = follower;
      way.cut();
      // Until it has a standby, nothing is acknowledged.
      follower = await followerOf(engine);
    },
  };
}
