import { PassThrough, Readable } from "node:stream";
import { LineDecoder } from "@askwire/protocol";
import { framedChannel, lineChannel } from "@askwire/protocol/node";
import { describe, expect, test } from "vitest";
import { vectors } from "../../../../scripts/vectors.js";

type Read =
  | { readonly json: unknown }
  | { readonly error: number; readonly ends?: true; readonly why?: string };
interface Framing {
  readonly limit?: number;
  readonly chunks: readonly ({ readonly utf8: string; readonly times?: number } | { readonly hex: string })[];
  readonly reads: readonly Read[];
}

const bytesOf = ({ chunks }: Framing) =>
  chunks.map((chunk) =>
    "hex" in chunk ? Buffer.from(chunk.hex, "hex") : Buffer.from(chunk.utf8.repeat(chunk.times ?? 1)),
  );

/** The bytes of a case in three cuts: as they came, in one chunk, and byte by byte. */
function waysToCut(chunks: readonly Buffer[]): Buffer[][] {
  const whole = Buffer.concat(chunks);
  return [[...chunks], [whole], Array.from(whole, (_, index) => whole.subarray(index, index + 1))];
}

function readJson(text: string): Read {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return { error: -32700 };
  }
}

/** The messages that a channel hands on, up to its end. */
async function readThrough(make: typeof framedChannel, chunks: readonly Buffer[], limit?: number) {
  const reads: Read[] = [];
  const options = limit === undefined ? {} : { inboundBytes: limit };
  const channel = make(Readable.from(chunks), new PassThrough(), options);
  await new Promise<void>((resolve) => {
    channel.listen({
      message: (text) => void reads.push(readJson(text)),
      oversized: () => void reads.push({ error: -32600 }),
      unreadable: (why) => void reads.push({ error: -32700, ends: true, why }),
      closed: () => resolve(),
    });
  });
  return reads;
}

/** The messages that the decoder of lines finds. */
function readLines(chunks: readonly Buffer[], limit = 1e8) {
  const reads: Read[] = [];
  const sink = {
    line: (text: string) => void reads.push(readJson(text)),
    oversized: () => void reads.push({ error: -32600 }),
  };
  const decoder = new LineDecoder(limit);
  for (const chunk of chunks) decoder.push(chunk, sink);
  decoder.end(sink);
  return reads;
}

/** The reads as they are compared: a reason is part of a longer sentence. */
const expected = ({ reads }: Framing) =>
  reads.map((read) => ("why" in read ? { ...read, why: `Invalid message: ${read.why}` } : read));

describe("lines in the vectors (P-FRM-1, P-FRM-2, P-LIM-2)", () => {
  test.each(vectors<Framing>("wire-1.10/lines.json", "askwire-draft/lines.json"))(
    "lines are read as the vector says, wherever the bytes are cut: $name",
    async (vector) => {
      for (const chunks of waysToCut(bytesOf(vector))) {
        expect(readLines(chunks, vector.limit)).toEqual(expected(vector));
        expect(await readThrough(lineChannel, chunks, vector.limit)).toEqual(expected(vector));
        expect(await readThrough(framedChannel, chunks, vector.limit)).toEqual(expected(vector));
      }
    },
  );
});

describe("bodies in the vectors (P-FRM-7, P-FRM-8, P-LIM-2)", () => {
  test.each(vectors<Framing>("askwire-draft/content-length.json"))(
    "bodies are read as the vector says, wherever the bytes are cut: $name",
    async (vector) => {
      for (const chunks of waysToCut(bytesOf(vector)))
        expect(await readThrough(framedChannel, chunks, vector.limit)).toEqual(expected(vector));
    },
  );
});
