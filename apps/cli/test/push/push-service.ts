// A push service on loopback, and the browsers that it delivers to, each with keys of its own.
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { PushText } from "../../src/push/push-text.js";

/** A message as it came, before a browser has opened it. */
export interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service that notes what comes, and answers as it is told: 201 by default. */
export async function pushService() {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  const answers = new Map<string, (response: ServerResponse) => void>();
  const http = createServer(async (request, response) => {
    const { url: path = "", headers } = request;
    const body = Buffer.concat(await request.toArray());
    deliveries.push({ path, headers, body });
    const answer = answers.get(path) ?? ((response) => response.writeHead(201).end());
    answer(response);
    for (const look of waiting) look();
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    host,
    deliveries,
    /** Answers what comes for a path with a status and headers, or not at all. */
    answer(path: string, status: number | "never", headers: Readonly<Record<string, string>> = {}): void {
      answers.set(path, (response) => status !== "never" && void response.writeHead(status, headers).end());
    },
    /** Resolves with the messages of a path, once there are so many. */
    async until(path: string, count: number): Promise<Delivery[]> {
      const found = () => deliveries.filter((one) => one.path === path);
      await new Promise<void>((resolve) => {
        const look = () => {
          if (found().length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
      return found();
    },
    browser: (path: string) => browser(`http://${host}${path}`),
  };
}

/** A browser's subscription, and the way to open what comes by it (RFC 8291). */
export function browser(endpoint: string) {
  const ecdh = createECDH("prime256v1");
  const own = ecdh.generateKeys();
  const auth = randomBytes(16);
  const keys = { p256dh: own.toString("base64url"), auth: auth.toString("base64url") };

  function open({ body }: Delivery): PushText {
    const [salt, idLength] = [body.subarray(0, 16), body.readUInt8(20)];
    const sender = body.subarray(21, 21 + idLength);
    const derive = (key: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", key, salt, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), own, sender]);
    const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
    const sealed = body.subarray(21 + idLength);
    const cipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    return JSON.parse(text.subarray(0, text.lastIndexOf(2)).toString());
  }
  return { endpoint, keys, open };
}

/** The claims of the sender, if its signature is that of the public key (RFC 8292). */
export function claimsOf(
  { headers }: Delivery,
  publicKey: string,
): { aud: string; exp: number; sub: string } {
  const [, token = "", key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
  if (key !== publicKey) throw new Error(`signed by ${key}`);
  const point = Buffer.from(key, "base64url");
  const [x = "", y = ""] = [point.subarray(1, 33), point.subarray(33)].map((half) =>
    half.toString("base64url"),
  );
  const signer = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  const [head = "", claims = "", signature = ""] = token.split(".");
  const signed = Buffer.from(signature, "base64url");
  const options = { key: signer, dsaEncoding: "ieee-p1363" as const };
  if (!verify("sha256", Buffer.from(`${head}.${claims}`), options, signed)) throw new Error("not signed so");
  return JSON.parse(Buffer.from(claims, "base64url").toString());
}
