/** A frame of WebSocket as its bytes, or bytes of HTTP: the head of the upgrade, and all of other requests. */
export interface Piece {
  readonly kind: "head" | "text" | "control";
  readonly bytes: Buffer;
}

const TEXT = 1;
const CONTROL = 8;

/** Cuts the bytes of one direction of a WebSocket into its head and frames. Bytes of plain HTTP stay in their chunks. */
export function frameCutter(): (chunk: Buffer) => Piece[] {
  let rest = Buffer.alloc(0);
  let headed = false;
  let isPlain = false;

  function take(): Piece | undefined {
    if (isPlain) return undefined;
    const length = headed ? frameLength(rest) : headLength(rest);
    if (length === undefined || rest.length < length) return undefined;
    const bytes = rest.subarray(0, length);
    rest = rest.subarray(length);
    if (!headed) {
      headed = true;
      isPlain = !/^upgrade: *websocket/im.test(bytes.toString("latin1"));
      return { kind: "head", bytes };
    }
    return { kind: kindOf(bytes), bytes };
  }

  return (chunk) => {
    if (isPlain) return [{ kind: "head", bytes: chunk }];
    rest = Buffer.concat([rest, chunk]);
    const pieces: Piece[] = [];
    for (let piece = take(); piece !== undefined; piece = take()) pieces.push(piece);
    if (isPlain && rest.length > 0) pieces.push({ kind: "head", bytes: rest });
    return pieces;
  };
}

function kindOf(frame: Buffer): "text" | "control" {
  const first = frame[0] as number;
  const opcode = first & 0x0f;
  if (opcode >= CONTROL) return "control";
  if (opcode === TEXT && first & 0x80) return "text";
  throw new Error(`a frame with opcode ${opcode} that is no whole text: this proxy does not expect it`);
}

function headLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  return end === -1 ? undefined : end + 4;
}

function frameLength(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const second = bytes[1] as number;
  const mask = second & 0x80 ? 4 : 0;
  const short = second & 0x7f;
  if (short < 126) return 2 + mask + short;
  if (short === 126) return bytes.length < 4 ? undefined : 4 + mask + bytes.readUInt16BE(2);
  return bytes.length < 10 ? undefined : 10 + mask + Number(bytes.readBigUInt64BE(2));
}
