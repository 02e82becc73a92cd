import { measurePace } from "../src/run/pace.js";

/** The pace of this machine, measured once for many runs: each measurement starts Node three times. */
export const pace = await measurePace();
