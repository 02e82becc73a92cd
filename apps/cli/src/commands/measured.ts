import { visibleText } from "@askwire/client/text";
import { type AskwireServer, isLoopback, type ServerObserver, systemClock } from "@askwire/server";
import { type ServerMetrics, serverMetrics } from "@askwire/server/metrics";
import type { ServeOptions } from "../command-line/serve.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { type HostPort, readHostPort } from "../input/host-port.js";
import { metricsToken } from "../input/token.js";
import { canKeep } from "../measures/can-keep.js";
import { type MeasuresDoor, openMeasuresDoor } from "../measures/measures-door.js";
import { otlpPlace } from "../measures/otlp-place.js";
import { OtlpSender } from "../measures/otlp-sender.js";

/** The measures of a server that monitors read, or are sent: `--metrics` and `--otlp`. */
export interface Measured {
  /** The observers that the server is made with. */
  readonly observe: readonly ServerObserver[];
  /** Answers `/readyz` by the state of this server from now on. */
  serves(server: AskwireServer): void;
  /** Answers `/readyz` with `stopping` from now on. */
  stops(): void;
  /** Sends the last numbers, and ends the listening. */
  close(): Promise<void>;
}

type MeasuredOptions = Pick<ServeOptions, "metrics" | "otlp" | "allowRemote" | "metricsTokenFile">;

/**
 * Listens for monitors and sends to a collector, as the options say, and says on standard error where it listens:
 * `starting` is not ready until it `serves`.
 *
 * @param share the folder of the kept sessions.
 * @throws Failure for an address that does not fit, that others reach without `--allow-remote` and a token, or that
 * cannot be taken.
 */
export async function openMeasured(options: MeasuredOptions, share: string | undefined): Promise<Measured> {
  const metrics = serverMetrics();
  const collector = options.otlp === undefined ? undefined : otlpPlace(options.otlp, process.env);
  const state = { unready: async (): Promise<readonly string[]> => ["starting"] };
  const door = await openedDoor(options, metrics, () => state.unready());
  const tell = (line: string) => void process.stderr.write(visibleText(`askwire: ${line}\n`));
  const sender = collector && new OtlpSender(collector, { metrics, clock: systemClock, tell });
  return {
    observe: [metrics],
    serves(server) {
      state.unready = async () => {
        const parts = await server.notReady();
        if (parts.length > 0 || share === undefined || (await canKeep(share))) return parts;
        return ["store"];
      };
    },
    stops() {
      state.unready = async () => ["stopping"];
    },
    async close() {
      await sender?.close();
      await door?.close();
    },
  };
}

/** The place where monitors ask; undefined without `--metrics`. */
async function openedDoor(
  options: MeasuredOptions,
  metrics: ServerMetrics,
  notReady: () => Promise<readonly string[]>,
): Promise<MeasuresDoor | undefined> {
  const { metrics: text } = options;
  if (text === undefined) return undefined;
  const address = readAddress(text);
  if (!isLoopback(address.host)) refuseOpen(text, options);
  const token = metricsToken(options);
  const door = await listening(text, address, { metrics, token, notReady });
  process.stderr.write(`askwire: metrics at ${door.origin}/metrics\n`);
  return door;
}

function refuseOpen(
  text: string,
  { allowRemote, metricsTokenFile }: Pick<ServeOptions, "allowRemote" | "metricsTokenFile">,
): void {
  const reached = `--metrics ${text}: other machines could reach it`;
  if (allowRemote !== true) throw usageFailure(`${reached}: use a port alone, or add --allow-remote`);
  if (metricsTokenFile === undefined)
    throw usageFailure(
      `${reached}: add --metrics-token-file FILE with the token that the monitor sends, or use a port alone`,
    );
}

const readAddress = (text: string): HostPort =>
  readHostPort("--metrics", /^\d+$/.test(text) ? `127.0.0.1:${text}` : text);

async function listening(
  text: string,
  ...[address, answers]: Parameters<typeof openMeasuresDoor>
): Promise<MeasuresDoor> {
  try {
    return await openMeasuresDoor(address, answers);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "the port is taken; name another, or 0 for a free one" : message;
    throw new CommandFailure(`--metrics ${text}: ${why}`);
  }
}
