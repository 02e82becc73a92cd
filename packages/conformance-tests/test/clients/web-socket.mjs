// @ts-check
// A WebSocket of a client in plain Node, which trusts the server it is tested with.
import { randomBytes } from "node:crypto";
import { request } from "node:http";

/**
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {(text: string) => void} text
 * @property {(code: number) => void} closed With 1006 where no code came.
 */

/** A frame with a mask of zeros, which changes nothing. */
function frame(/** @type {number} */ opcode, /** @type {Buffer} */ payload) {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 6 : 8);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | Math.min(length, 126);
  if (length >= 126) head.writeUInt16BE(length, 2);
  return Buffer.concat([head, payload]);
}

const decoder = new TextDecoder("utf-8", { fatal: true });
const isUtf8 = (/** @type {Buffer} */ bytes) => {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** The parts that differ in broken clients. */
export const rightSocket = {
  /** The place of the token. */
  path: (/** @type {URL} */ url) => url.pathname,
  /** True if the frames of a message are put together. */
  joins: true,
  /** True if a binary frame is an end. */
  isText: (/** @type {number} */ opcode) => opcode === 1,
};

/** Opens a WebSocket to `ws://<host>:<port>/wire/<id>#<token>`. */
export function openSocket(
  /** @type {string} */ address,
  /** @type {Listener} */ listener,
  ways = rightSocket,
) {
  const url = new URL(address);
  let stream = /** @type {import("node:stream").Duplex | undefined} */ (undefined);
  let code = 1006;
  let isOver = false;
  const over = () => {
    if (!isOver) listener.closed(code);
    isOver = true;
  };
  const write = (/** @type {number} */ opcode, /** @type {Buffer} */ payload) =>
    stream?.writable && stream.write(frame(opcode, payload));
  const close = (/** @type {number} */ with_) => {
    const payload = Buffer.alloc(2);
    payload.writeUInt16BE(with_);
    write(8, payload);
    stream?.end();
  };

  const parts = /** @type {Buffer[]} */ ([]);
  let begun = 1;
  function take(/** @type {number} */ first, /** @type {Buffer} */ payload) {
    const opcode = first & 0x0f;
    if (opcode === 9) return write(10, payload);
    if (opcode === 8) {
      code = payload.length < 2 ? 1005 : payload.readUInt16BE(0);
      return close(code);
    }
    if (opcode !== 0) begun = opcode;
    parts.push(payload);
    if (ways.joins && (first & 0x80) === 0) return;
    const whole = Buffer.concat(parts.splice(0));
    if (!ways.isText(begun)) return close(1003);
    if (!isUtf8(whole)) return close(1007);
    listener.text(whole.toString());
  }

  let rest = Buffer.alloc(0);
  function read(/** @type {Buffer} */ chunk) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2) {
      const short = /** @type {number} */ (rest[1]);
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (rest.length < start) return;
      const length =
        short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
      if (rest.length < start + length) return;
      const first = /** @type {number} */ (rest[0]);
      const payload = rest.subarray(start, start + length);
      rest = rest.subarray(start + length);
      take(first, payload);
    }
  }

  const outgoing = request({
    hostname: url.hostname,
    port: url.port,
    path: ways.path(url),
    headers: {
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
      Authorization: `Bearer ${url.hash.slice(1)}`,
    },
  });
  outgoing.on("error", over);
  outgoing.on("response", (response) => {
    response.destroy();
    over();
  });
  outgoing.on("upgrade", (_response, opened, head) => {
    stream = opened;
    opened
      .on("data", read)
      .on("error", () => opened.destroy())
      .on("close", over)
      .on("end", () => opened.end());
    listener.opened();
    read(head);
  });
  outgoing.end();
  return {
    send: (/** @type {string} */ text) => void write(1, Buffer.from(text)),
    close,
    drop: () => void stream?.destroy(),
  };
}
