/** The beginning and the end of a text of any length. */
export interface KeptOutput {
  push(text: string): void;
  /** The kept text, with a line in the middle that counts the missing characters. */
  text(): string;
}

/**
 * Keeps the beginning and the end of a text.
 *
 * @param limit characters that are kept, half of them from the beginning and half from the end.
 */
export function keptOutput(limit: number): KeptOutput {
  const half = Math.floor(limit / 2);
  let head = "";
  let isHeadFull = false;
  let tail = "";
  let dropped = 0;

  /** Keeps the end only, without cutting a character in two. */
  function cutTail(): void {
    let start = tail.length - half;
    if (isLowSurrogate(tail.charCodeAt(start))) start += 1;
    dropped += start;
    tail = tail.slice(start);
  }

  return {
    push(text) {
      let end = 0;
      if (!isHeadFull) {
        end = Math.min(text.length, half - head.length);
        isHeadFull = end < text.length;
        if (isHeadFull && isLowSurrogate(text.charCodeAt(end))) end -= 1;
        head += text.slice(0, end);
      }
      tail += text.slice(end);
      if (tail.length > 2 * half) cutTail();
    },
    text() {
      if (tail.length > half) cutTail();
      return dropped === 0 ? head + tail : `${head}\n[cut: ${dropped} characters]\n${tail}`;
    },
  };
}

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;
