import { request } from "node:http";

/** A request that is no upgrade, and its head. */
export interface PlainOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The response to a plain request. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** The bytes as UTF-8. */
  readonly text: string;
}

/** The response to a plain request at this machine: the path is sent verbatim, without being made shorter. */
export function plainRequest(
  port: number,
  path: string,
  { method = "GET", headers, body }: PlainOptions = {},
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      void response.toArray().then((pieces) => {
        const bytes = Buffer.concat(pieces);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: String(bytes) });
      }, reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
