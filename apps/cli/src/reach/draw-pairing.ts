import { visibleLine } from "@askwire/client/text";
import { CODE_MINUTES } from "./pairing-codes.js";
import { qrLines } from "./qr.js";

/** The terminal that a code is drawn in. */
export interface PairingTerminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** True for a code that is for answering only. */
  readonly answering: boolean;
  /** The name of the person who will have the device; undefined where none was given. */
  readonly person: string | undefined;
}

/**
 * Draws an address as a QR code with the address below, and another each time that Enter is pressed.
 *
 * @param newAddress an address with a code that counts once.
 * @returns a function that ends that.
 */
export function drawPairing(
  newAddress: () => string,
  { input, output, answering, person }: PairingTerminal,
): () => void {
  const again = input.isTTY === true;

  function draw(): void {
    const address = newAddress();
    const lines = qrLines(address, output.columns) ?? ["(the window is too narrow for the code)"];
    const whose = person === undefined ? "a device" : `a device of ${visibleLine(person)}`;
    const whom = answering ? `Pair ${whose} that may only answer` : `Pair ${whose}`;
    const next = again ? "; Enter makes another" : "";
    const about = `${whom}: scan this, or open the address. It counts once, for ${CODE_MINUTES} minutes${next}.`;
    output.write(`\n${[...lines, about, `  ${address}`].join("\n")}\n`);
  }

  draw();
  if (!again) return () => {};
  input.on("data", draw);
  return () => {
    input.off("data", draw);
    input.pause();
  };
}
