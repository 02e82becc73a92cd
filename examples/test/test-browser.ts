import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, createServer, standardErrorLog } from "@askwire/server";
import { type Gateway, listenWebSocket } from "@askwire/server/websocket";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { launchBrowser } from "./launch-browser.mjs";

/** A page of a real browser on a session of a real server. */
export interface OpenPage {
  readonly page: Page;
  /** Complaints of the browser: broken policies, errors, all that was logged. */
  readonly complaints: readonly string[];
  readonly gateway: Gateway;
  /** The session that the page joins. */
  readonly session: ReturnType<ReturnType<typeof createServer>["createSession"]>;
  /** The session's address, with the token. */
  readonly wire: string;
  /** Listens again where it did, once the gateway is closed. */
  listen(): Promise<void>;
}

export interface PageToOpen {
  readonly agent: Agent;
  /** Serves the page's files. It is started and stopped here. */
  readonly files: HttpServer;
  /** Default: 800 by 600. */
  readonly size?: { readonly width: number; readonly height: number };
  /** True for a device with fingers instead of a mouse. Default: false. */
  readonly touch?: boolean;
}

/** A page with what the browser complained of there. */
function heard(page: Page) {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.setDefaultTimeout(60_000);
  return { page, complaints };
}

/** A browser for the tests of a file: it and all that a test began end by themselves. */
export function testBrowser() {
  let browser: Browser;
  const ends: (() => unknown)[] = [];
  const lasting: (() => unknown)[] = [];
  const endAll = async (all: (() => unknown)[]) => {
    for (const end of all.splice(0).reverse()) await end();
  };

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(() => endAll(ends));
  afterAll(async () => {
    await browser?.close();
    await endAll(lasting);
  });

  /** A page whose storage nobody shares, and what the browser complained of there. `until` takes its end. */
  async function newPage(options: BrowserContextOptions, until = ends) {
    const context = await browser.newContext(options);
    until.push(() => context.close());
    return heard(await context.newPage());
  }

  return {
    newPage,
    /** A page that shares the storage of another one. */
    newTab: async (page: Page) => heard(await page.context().newPage()),
    /** Called at the end of the test, the last one first. */
    ends,
    /** A folder until the end of the file. */
    async folder(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), "askwire-page-"));
      lasting.push(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
    /** Opens a page, which has an origin of its own, on a session of a new server. */
    async open({
      agent,
      files,
      size = { width: 800, height: 600 },
      touch = false,
    }: PageToOpen): Promise<OpenPage> {
      files.listen(0, "127.0.0.1");
      await once(files, "listening");
      ends.push(() => new Promise((resolve) => files.close(resolve)));
      const origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
      const server = createServer({ agent, log: standardErrorLog("error") });
      const gateway = await listenWebSocket(server, { allowOrigins: [origin] });
      ends.push(
        () => server.close(),
        () => gateway.close(),
      );
      const session = server.createSession({ stay: true });
      const wire = gateway.address(session);
      const { page, complaints } = await newPage({ viewport: size, hasTouch: touch, isMobile: touch });
      await page.goto(`${origin}/#${wire}`);
      return {
        ...{ page, complaints, gateway, session, wire },
        async listen() {
          const port = Number(new URL(wire).port);
          const next = await listenWebSocket(server, { allowOrigins: [origin], port, token: gateway.token });
          ends.push(() => next.close());
        },
      };
    },
  };
}

/** The browser of a test file. */
export type TestBrowser = ReturnType<typeof testBrowser>;
