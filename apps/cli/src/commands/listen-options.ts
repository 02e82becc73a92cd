import type { ServeOptions } from "../command-line/serve.js";
import { usageFailure } from "../input/failure.js";

/** The flags that only `--listen` takes, for the message that says so. */
const flags: Readonly<Partial<Record<keyof ServeOptions, string>>> = {
  answerAddress: "--answer-address",
  answerTokenFile: "--answer-token-file",
  pageServer: "--page-server",
  trustHeader: "--trust-header",
  groupsHeader: "--groups-header",
  trustFrom: "--trust-from",
  trustRole: "--trust-role",
  tenant: "--tenant",
  tenantHeader: "--tenant-header",
  open: "--open",
  qr: "--qr",
  qrFor: "--qr-for",
  publicUrl: "--public-url",
  tlsCert: "--tls-cert",
  tlsKey: "--tls-key",
  notify: "--notify",
  notifyRole: "--notify-role",
  notifyText: "--notify-text",
  nodeAddress: "--node-address",
  linkSecretFile: "--link-secret-file",
  pushHost: "--push-host",
  pushContact: "--push-contact",
};

/** @throws Failure for an option that has no meaning without `--listen`. */
export function refuseListenOptions(options: ServeOptions): void {
  const given = Object.entries(flags).find(([name]) => options[name as keyof ServeOptions] !== undefined);
  if (given !== undefined) throw usageFailure(`serve: ${given[1]} needs --listen HOST:PORT`);
}
