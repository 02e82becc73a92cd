import type { ReactNode } from "react";
import { encode } from "uqr";

/** The light modules around a code that a camera needs. */
const BORDER = 4;

/** A text as a QR code, black on white in each theme. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { data, size } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={dark.join("")} shapeRendering="crispEdges" />
    </svg>
  );
}
