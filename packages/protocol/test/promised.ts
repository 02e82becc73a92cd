import type { Engine } from "../src/framing/engine.js";
import type { Reply } from "../src/framing/envelope.js";
import { LocalError } from "../src/index.js";

/** A request of an engine with its reply as a promise, which rejects with why there is none. */
export function promised(engine: Engine, method: string, params: unknown, id: string) {
  let resolve: (reply: Reply) => void = () => {};
  let reject: (error: LocalError) => void = () => {};
  const reply = new Promise<Reply>((...settle) => {
    [resolve, reject] = settle;
  });
  const call = engine.request(method, params, id, (answer) => {
    if (answer instanceof LocalError) reject(answer);
    else resolve(answer);
  });
  return { reply, forget: () => call.forget() };
}
