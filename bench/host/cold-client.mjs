/** @import { ClientModule } from "../contract.js" */
import { chosenOption } from "../payload.mjs";

/** @type {ClientModule} */
const client = await import(`../peers/${process.argv[2]}/client.mjs`);
const connection = await client.overStdio(process.stdin, process.stdout, {
  decide: () => chosenOption,
  heard() {},
});
await connection.begin?.();
