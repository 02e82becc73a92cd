/** A random UUID. Pages without a secure context have no `crypto.randomUUID`, which is 20 times as fast in Node. */
export const uuid = (): string => crypto.randomUUID?.() ?? uuidOfBytes();

function uuidOfBytes(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let text = "";
  for (const [index, byte] of bytes.entries()) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += "-";
    text += (byte + 0x100).toString(16).slice(1);
  }
  return text;
}
