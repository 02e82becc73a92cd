// The comparison of names: models write them in any case and with any separators (P-09).
import { nameKey } from "@askwire/protocol/internal";

/** True for a name that can also be written as a tag. */
export const isName = (name: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_.-]{0,127}$/u.test(name) && nameKey(name) !== "";
