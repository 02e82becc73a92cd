// The ids that are made here: in Node, and in pages with and without a secure context.
import { v4, v7 } from "uuid";

/** Makes a UUID by chance, of version 4 as clients of Kimi's expect it of a request. */
export const randomId = (): string => v4();

/** Makes a UUID that begins with its time, of version 7: for what is kept, and sorted by age. */
export const timedId = (): string => v7();
