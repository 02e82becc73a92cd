import { createSecureContext } from "node:tls";
import { defined } from "@askwire/protocol/internal";
import {
  type AskwireServer,
  isLoopback,
  personProblem,
  type Session,
  systemClock,
  urlHost,
} from "@askwire/server";
import type {
  Gateway,
  ListenOptions as GatewayOptions,
  Nodes,
  TrustedHeader,
} from "@askwire/server/websocket";
import type { ServeOptions } from "../command-line/serve.js";
import { CommandFailure, usageFailure } from "../input/failure.js";
import { ownName } from "../input/own-name.js";
import { readOptionFile } from "../input/read-file.js";
import { answerToken, serverToken } from "../input/token.js";
import type { ShippedFiles } from "../installed/shipped-files.js";
import { readPushContact } from "../push/push-contact.js";
import { readPushHosts } from "../push/push-hosts.js";
import {
  isPlain,
  originHere,
  originsOf,
  ownOrigins,
  pageAddress,
  type Reach,
  reachOf,
  sessionAddress,
} from "../reach/addresses.js";
import { builtPage } from "../reach/built-page.js";
import { inviteBy } from "../reach/invite.js";
import { devicesFolder } from "../reach/kept-devices.js";
import { servedTokens, tokensFolder } from "../reach/kept-tokens.js";
import { type PairingCodes, pairingCodes } from "../reach/pairing-codes.js";
import { servedDevices } from "../reach/served-devices.js";
import type { Measured } from "./measured.js";
import { pushOf } from "./push.js";
import { registered } from "./registered.js";
import { tellWaiting } from "./waiting-lines.js";

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  /** The folder of the kept sessions and the devices. */
  readonly share: string;
  /** The names of the tenants, each of which has a server. */
  readonly tenants: readonly string[];
  readonly sessionId: string | undefined;
  /** The name of the agent, for the inbox. */
  readonly name: string;
  /** The other nodes of the same store. Default: the server is alone. */
  readonly nodes: Nodes | undefined;
  /** The measures that monitors read. Default: none are served. */
  readonly measured: Measured | undefined;
}

/** Listens, prints how to connect, and stays until SIGINT or SIGTERM. */
export async function listenUntilSignal(
  makeServer: (tenant?: string) => AskwireServer,
  { host, port, share, tenants: names, sessionId, name, nodes, measured }: ListenPlace,
  options: ServeOptions,
): Promise<void> {
  if (!isLoopback(host) && options.allowRemote !== true) {
    throw usageFailure(
      `--listen ${host}:${port}: other machines could reach it: use 127.0.0.1, or add --allow-remote`,
    );
  }
  refuseNotify(options);
  const page = wantedPage(options);
  const pushHosts = readPushHosts(options.pushHost);
  const contact = options.pushContact === undefined ? undefined : readPushContact(options.pushContact);
  const { exactOrigins, pageServersOf } = await import("@askwire/server/websocket");
  const pageServers = readOrigins("--page-server", pageServersOf, options.pageServer);
  const allowOrigin = readOrigins("--allow-origin", exactOrigins, options.allowOrigin);
  const tls = certificate(options);
  const reach = reachOf(host, options.publicUrl);
  const secrets = tokens(options);
  const owner = ownName(options);
  const codes = pairingCodes(systemClock);
  // Clients come once the port is known.
  const inviting = { origin: "" };
  const devices = servedDevices(devicesFolder(share), {
    codes,
    ...defined({ owner: options.name }),
    ...(page !== undefined && { invite: inviteBy(codes, () => inviting.origin) }),
    failed: ({ message }) => tell(`a device cannot be kept (${message}): set ASKWIRE_HOME to another folder`),
  });
  const server = makeServer();
  const tenants = new Map(names.map((tenant) => [tenant, makeServer(tenant)]));
  const text = options.notifyText ?? "header";
  const push = pushOf(server, { share, text, hosts: pushHosts, contact, tell });
  const gateway = await listening(server, {
    host,
    port,
    allowRemote: options.allowRemote ?? false,
    ...letIn(reach, options, allowOrigin),
    devices,
    ...(page !== undefined && { page, pageServers, deviceRequests: push.requests }),
    tokens: servedTokens(tokensFolder(share)),
    tenants,
    ...defined({ tls, owner, nodes, trustHeader: trusted(options) }),
    ...secrets,
  });
  const ends: (() => void)[] = [codes.close];
  try {
    const session = await openedAtStart(server, sessionId, nodes);
    const stopped = new Promise<void>((resolve) => {
      process.once("SIGINT", () => resolve());
      process.once("SIGTERM", () => resolve());
    });
    const bound = { host, port: Number(new URL(gateway.address(session)).port), secure: tls !== undefined };
    const origins = originsOf(reach, bound);
    inviting.origin = origins[0];
    if ((tls === undefined && !isLoopback(host)) || origins.some(isPlain)) {
      tell(
        "others can reach this server, and nothing is encrypted: add --tls-cert and --tls-key, or put it behind TLS",
      );
    }
    ends.push(registered(sessionAddress(originHere(reach, bound), gateway.address(session)), name));
    tellAddresses(gateway, { session, origins, withPage: page !== undefined });
    if (reach.publicOrigin !== undefined) {
      process.stdout.write(`\nListening at ${urlHost(host)}:${bound.port}\n`);
    }
    const invited = { codes, session: session.id };
    if (options.open) await openPage(originHere(reach, bound), invited);
    if (options.qr !== undefined)
      ends.push(await drawCodes(origins[0], { role: options.qr, person: options.qrFor }, invited));
    if (process.stderr.isTTY) ends.push(tellWaiting(server, (line) => process.stderr.write(line)));
    const byRole = roleCommands(options);
    if (options.notify !== undefined || byRole.size > 0) {
      const url = (session: string) =>
        page === undefined ? undefined : pageAddress(origins[0], { session });
      const { notifyOf } = await import("./notify.js");
      ends.push(notifyOf(server, { command: options.notify, byRole, text, url, tell }));
    }
    if (page !== undefined) {
      const isOwn = ownOrigins(reach, bound, options.allowHost);
      ends.push(push.begin({ origin: origins[0], isOwn }));
    }
    measured?.serves(server);
    await stopped;
  } finally {
    measured?.stops();
    for (const end of ends) end();
    // At once, so that the next node has the sessions before their clients come back.
    await Promise.all([gateway.close(), closed(server, tenants)]);
  }
}

/** Closes the servers of the tenants, and the one behind whose store theirs stand. */
async function closed(server: AskwireServer, tenants: ReadonlyMap<string, AskwireServer>): Promise<void> {
  await Promise.all([...tenants.values()].map((tenant) => tenant.close()));
  await server.close();
}

/** The session whose address is printed. One that another node has is not opened: its clients are passed on. */
async function openedAtStart(
  server: AskwireServer,
  id: string | undefined,
  nodes: Nodes | undefined,
): Promise<Pick<Session, "id">> {
  try {
    return await server.openSession({ stay: true, ...defined({ id }) });
  } catch (error) {
    if (id === undefined || (await nodes?.ownerOf(id)) === undefined) throw error;
    return { id };
  }
}

/** The hosts and origins that are let in: those of the options, and the names that are printed. */
function letIn(
  { hosts, publicOrigin }: Reach,
  { allowHost = [] }: ServeOptions,
  allowOrigin: readonly string[] = [],
): Pick<GatewayOptions, "allowHosts" | "allowOrigins"> {
  if (publicOrigin === undefined) return { allowHosts: [...allowHost, ...hosts], allowOrigins: allowOrigin };
  return {
    allowHosts: [...allowHost, ...hosts, new URL(publicOrigin).hostname],
    allowOrigins: [...allowOrigin, publicOrigin],
  };
}

async function listening(server: AskwireServer, options: GatewayOptions): Promise<Gateway> {
  const { listenWebSocket } = await import("@askwire/server/websocket");
  try {
    return await listenWebSocket(server, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EADDRINUSE" ? "the port is taken; name another, or 0 for a free one" : message;
    throw new CommandFailure(`--listen ${options.host}:${options.port}: ${why}`);
  }
}

const tell = (line: string) => void process.stderr.write(`askwire: ${line}\n`);

/** The built page; undefined without it. */
function wantedPage({ web, open, qr, qrFor, pageServer }: ServeOptions): ShippedFiles | undefined {
  const given = { "--open": open, "--qr": qr, "--page-server": pageServer };
  const wanted = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (wanted !== undefined && !web) throw usageFailure(`${wanted} needs the page: leave --no-web out`);
  if (qrFor !== undefined) {
    if (qr === undefined) throw usageFailure("--qr-for: add --qr");
    const problem = personProblem(qrFor);
    if (problem !== undefined) throw usageFailure(`--qr-for: ${problem}`);
  }
  if (qr !== undefined && !process.stdout.isTTY) {
    throw usageFailure("--qr needs a terminal as standard output: leave it out");
  }
  const page = web ? builtPage() : undefined;
  if (page !== undefined) return page;
  if (wanted !== undefined)
    throw new CommandFailure(`${wanted}: the page is not built: leave it out, or build it first`);
  return undefined;
}

/** @throws Failure that names the option, for a text that its reader refuses. */
function readOrigins(
  option: string,
  read: (origins: readonly string[]) => readonly string[],
  origins: readonly string[] = [],
): readonly string[] {
  try {
    return read(origins);
  } catch (error) {
    throw usageFailure(`${option} ${(error as Error).message}`);
  }
}

/** @throws Failure for one of the files without the other, and for files that do not fit. */
function certificate({ tlsCert, tlsKey }: ServeOptions): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined) throw usageFailure("--tls-key: add --tls-cert with the certificate of that key");
  if (tlsKey === undefined) throw usageFailure("--tls-cert: add --tls-key with the key of that certificate");
  const tls = { cert: readOptionFile("--tls-cert", tlsCert), key: readOptionFile("--tls-key", tlsKey) };
  try {
    createSecureContext(tls);
    return tls;
  } catch (error) {
    const why = (error as Error).message;
    throw usageFailure(
      `--tls-cert ${tlsCert}, --tls-key ${tlsKey}: expected a certificate and its key in PEM: ${why}`,
    );
  }
}

function tokens(options: ServeOptions): { token?: string; answerToken?: string | true } {
  const token = serverToken(options);
  if (token === undefined && process.env.ASKWIRE_TOKEN) {
    tell("serve ignores ASKWIRE_TOKEN and makes a new token: to set one, use --token-file");
  }
  const answering = answerToken(options);
  if (answering !== undefined && answering === token) {
    throw usageFailure(
      `${options.answerTokenFile}: expected a token other than the one in ${options.tokenFile}`,
    );
  }
  return defined({ token, answerToken: answering });
}

/** @throws Failure for one of the options without the other. The gateway reads the addresses. */
function trusted({
  trustHeader: header,
  trustFrom: from,
  trustRole: role,
  groupsHeader,
  tenantHeader,
}: ServeOptions): TrustedHeader | undefined {
  if (groupsHeader !== undefined && header === undefined)
    throw usageFailure("--groups-header: add --trust-header NAME, which says whose groups they are");
  if (header === undefined && from === undefined && role === undefined) return undefined;
  if (header === undefined)
    throw usageFailure(`${from === undefined ? "--trust-role" : "--trust-from"}: add --trust-header NAME`);
  if (from === undefined)
    throw usageFailure(
      "--trust-header: add --trust-from with the address of the proxy: no other is believed",
    );
  return { header, from, ...defined({ role, groupsHeader, tenantHeader }) };
}

interface Invited {
  readonly codes: PairingCodes;
  /** The session that the page opens. */
  readonly session: string;
}

async function openPage(origin: string, { codes, session }: Invited): Promise<void> {
  const { openInBrowser } = await import("../reach/open-browser.js");
  let remove = () => {};
  const code = codes.make({}, () => remove());
  const failed = (why: string) => tell(`--open: could not open the browser (${why}): open the address above`);
  try {
    remove = openInBrowser(pageAddress(origin, { code, session }), failed);
  } catch (error) {
    failed((error as Error).message);
  }
}

/** Draws a code for a device, and another each time that Enter is pressed. Returns a function that ends that. */
async function drawCodes(
  origin: string,
  { role, person }: { readonly role: true | "answer"; readonly person: string | undefined },
  { codes, session }: Invited,
): Promise<() => void> {
  const { drawPairing } = await import("../reach/draw-pairing.js");
  if (isLoopback(new URL(origin).hostname)) {
    tell(
      "--qr: a phone cannot reach this address: add --public-url, or listen on 0.0.0.0 with --allow-remote",
    );
  }
  return drawPairing(
    () =>
      pageAddress(origin, {
        code: codes.make({ role: role === "answer" ? role : undefined, person }),
        session,
      }),
    { input: process.stdin, output: process.stdout, answering: role === "answer", person },
  );
}

function refuseNotify(options: ServeOptions): void {
  const { notify, notifyText, notifyRole, pushHost, pushContact, web } = options;
  roleCommands(options);
  if (notify?.trim() === "") throw usageFailure("--notify: expected a command, such as 'cat >> asked.jsonl'");
  if (notify === undefined && notifyRole === undefined && notifyText !== undefined && !web)
    throw usageFailure("--notify-text needs --notify COMMAND or the page: add that, or leave --no-web out");
  if (pushHost !== undefined && !web) throw usageFailure("--push-host needs the page: leave --no-web out");
  if (pushContact !== undefined && !web)
    throw usageFailure("--push-contact needs the page: leave --no-web out");
}

/** The commands of roles. @throws Failure for what names no role or no command, and for a second command of a role. */
function roleCommands({ notifyRole = [] }: ServeOptions): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const text of notifyRole) {
    const [, named = "", command = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (personProblem(named) !== undefined || command.trim() === "")
      throw usageFailure(
        `--notify-role ${text}: expected ROLE=COMMAND, such as "payments=cat >> payments.jsonl"`,
      );
    const role = named.normalize("NFC").trim();
    if (commands.has(role))
      throw usageFailure(
        `--notify-role ${text}: the role ${role} has a command already: name each role once, and join its commands with ";"`,
      );
    commands.set(role, command);
  }
  return commands;
}

/** Prints how to connect. */
function tellAddresses(
  gateway: Gateway,
  {
    session,
    origins,
    withPage,
  }: { session: Pick<Session, "id">; origins: readonly [string, ...string[]]; withPage: boolean },
): void {
  const pages = (token: string) =>
    withPage ? origins.map((origin) => pageAddress(origin, { token, session: session.id })) : [];
  tellAddress(sessionAddress(origins[0], gateway.address(session)), pages(gateway.token));
  const { answerToken } = gateway;
  if (answerToken === undefined) return;
  tellAnswerAddress(sessionAddress(origins[0], gateway.address(session, "answer")), pages(answerToken));
}

function tellAddress(address: string, pages: readonly string[]): void {
  process.stdout.write(`${address}\n\nConnect a terminal with:\n  askwire chat --connect '${address}'\n`);
  if (pages.length > 0)
    process.stdout.write(`\nOpen in a browser:\n${pages.map((page) => `  ${page}\n`).join("")}`);
}

function tellAnswerAddress(address: string, pages: readonly string[]): void {
  const lines = [address, `askwire chat --connect '${address}'`, ...pages];
  process.stdout.write(`\nFor those who may only answer:\n${lines.map((line) => `  ${line}\n`).join("")}`);
}
