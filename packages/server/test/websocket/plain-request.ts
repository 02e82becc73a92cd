import { request } from "node:http";

/** A request that is no upgrade, and its head. */
export interface PlainOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The response to a plain request at this machine: the path is sent as it is, without being made shorter. */
export function plainRequest(
  port: number,
  path: string,
  { method = "GET", headers, body }: PlainOptions = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on("error", reject);
      sent.end(body);
    },
  );
}
