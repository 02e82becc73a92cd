import { usageFailure } from "../input/failure.js";
import type { AnswerTokenOptions, TokenOptions } from "../input/token.js";
import type { NotifyText } from "../reach/notice.js";

/** The options of `serve --listen` alone. */
export interface ListenOptions extends TokenOptions, AnswerTokenOptions {
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowRemote?: boolean;
  /** The origins of the other servers that the page may reach. */
  readonly pageServer?: readonly string[];
  /** False leaves the page out. */
  readonly web?: boolean;
  /** Opens the page in the browser of this machine. */
  readonly open?: boolean;
  /** Draws a code for a device; `answer` for one that may only answer. */
  readonly qr?: true | "answer";
  /** The address that others reach this server by. */
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** A line of the shell for each request that opens or is settled. */
  readonly notify?: string;
  /** Default: `header`. */
  readonly notifyText?: NotifyText;
}

/** The flags that only `--listen` takes, for the message that says so. */
const flags: Readonly<Partial<Record<keyof ListenOptions, string>>> = {
  answerAddress: "--answer-address",
  answerTokenFile: "--answer-token-file",
  pageServer: "--page-server",
  open: "--open",
  qr: "--qr",
  publicUrl: "--public-url",
  tlsCert: "--tls-cert",
  tlsKey: "--tls-key",
  notify: "--notify",
  notifyText: "--notify-text",
};

/** @throws Failure for an option that has no meaning without `--listen`. */
export function refuseListenOptions(options: ListenOptions): void {
  const given = Object.entries(flags).find(([name]) => options[name as keyof ListenOptions] !== undefined);
  if (given !== undefined) throw usageFailure(`serve: ${given[1]} is for --listen HOST:PORT`);
}
