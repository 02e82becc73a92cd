import { spawn } from "node:child_process";
import { setTimeout as after } from "node:timers/promises";
import { CommandFailure } from "../input/failure.js";
import { commandEnvironment } from "../process/command-environment.js";
import { type GatewayState, gatewayLog, makeGatewayFolder, runningGateway, withLog } from "./place.js";

/** The settings of a gateway that is started. A gateway that runs already keeps its own. */
export interface GatewaySettings {
  /** The time without agents, people and open questions after which it ends, in minutes. */
  readonly idle?: number | undefined;
  /** A line of the shell for each request that opens or is settled. */
  readonly notify?: string | undefined;
  readonly notifyText?: string | undefined;
}

/** The time for a gateway to listen, and between two looks, in milliseconds. */
const START_MS = 30_000;
const LOOK_MS = 30;

/**
 * Finds the gateway of this person, and starts one where none runs. Of two that start at once, one ends.
 *
 * @param share the folder of the person's sessions.
 * @throws Failure that names the log, if none listens in time.
 */
export async function findGateway(share: string, settings: GatewaySettings): Promise<GatewayState> {
  const running = runningGateway(share);
  if (running !== undefined) return running;
  start(share, settings);
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    await after(LOOK_MS);
    const started = runningGateway(share);
    if (started !== undefined) return started;
  }
  throw new CommandFailure(`the gateway did not start: ${gatewayLog(share)} says why`);
}

function start(share: string, { idle, notify, notifyText }: GatewaySettings): void {
  const folder = makeGatewayFolder(share);
  const given = { "--idle": idle?.toString(), "--notify": notify, "--notify-text": notifyText };
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
  withLog(share, (log) => {
    const child = spawn(process.execPath, [process.argv[1] as string, "gateway", ...options], {
      cwd: folder,
      // The gateway gets no keys of the agent's providers.
      env: { ...commandEnvironment(process.env), ASKWIRE_HOME: share },
      stdio: ["ignore", log, log],
      detached: true,
      windowsHide: true,
    });
    // A process that cannot be started never listens, which the wait notices.
    child.once("error", () => {});
    child.unref();
  });
}
