import type { Highlight } from "@askwire/react/code";
import type { WorkerAddress } from "../entry/worker-address.js";
import { whenIdle } from "./when-idle.js";

/** Finds the colours of code in a worker of the page. It is loaded with the first code on the screen, once the page is idle. */
export function pageColours(address: WorkerAddress): Highlight {
  let loaded: Promise<Highlight> | undefined;
  async function load(): Promise<Highlight> {
    await new Promise<void>((resolve) => whenIdle(resolve));
    const { default: codeColours } = await import("./found-colours.js");
    return codeColours(() => new Worker(address("/colours.js"), { type: "module" }));
  }
  return async (code, language) => {
    loaded ??= load();
    try {
      return await (await loaded)(code, language);
    } catch {
      // Without its file, code is plain. The next block asks for it again.
      loaded = undefined;
      return undefined;
    }
  };
}
