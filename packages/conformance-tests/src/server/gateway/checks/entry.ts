import { want, wantSame } from "../../../contract/expectations.js";
import { opcodes } from "../../../programs/web-socket-frames.js";
import { initialize, wantError } from "../../conversation.js";
import type { CheckedGateway, GatewayCheck } from "../gateway-context.js";
import { wantClosed } from "../joined.js";
import { bytes, joinInBase, wantNoEntry, wantStatus } from "./door.js";

/** An Origin or a Host that is like the server's own, and is another. */
const likeOwn = (own: URL) => ({
  origins: [
    `http://${own.host}.askwire.example`,
    `http://askwire.example.${own.host}`,
    `http://not${own.host}`,
    `http://${own.hostname}:${own.port === "1" ? 2 : 1}`,
  ],
  hosts: [`${own.hostname}.askwire.example:${own.port}`, `not-localhost:${own.port}`],
});

/** Wants a client to be turned away that says nothing. */
async function wantTurnedAway(
  gateway: CheckedGateway,
  address: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const client = await gateway.knock(address, headers);
  want("send" in client, "an upgrade, and then the close code 4401", client);
  wantSame("the close code", (await client.ended()).code, 4401);
}

/** G06 to G08: what is like a right token, Origin or Host, and control frames. */
export const entryChecks: readonly GatewayCheck[] = [
  {
    id: "G06",
    title: "a token in a cookie, a part of it and an empty one are no token, and are told so at once",
    rules: ["P-SEC-1", "P-SEC-2", "P-SEC-3"],
    async run(context) {
      const gateway = await context.start();
      const [bare = "", token = ""] = gateway.address.split("#");
      const said = decodeURIComponent(token);
      for (const name of ["token", "askwire", "askwire.token"])
        await wantTurnedAway(gateway, bare, { Cookie: `${name}=${said}` });
      for (const part of [said.slice(0, -1), said.slice(0, 12), `${said}${said}`])
        await wantNoEntry(gateway, `${bare}#${part}`, 4401);
      await wantTurnedAway(gateway, bare, { Authorization: "Bearer " });
      await joinInBase(gateway);
    },
  },
  {
    id: "G07",
    title: "Origin and Host are compared whole; localhost is let in, and so is who sends no Origin",
    rules: ["P-SEC-4", "P-SEC-5"],
    async run(context) {
      const gateway = await context.start();
      const { address } = gateway;
      const own = new URL(address);
      const { origins, hosts } = likeOwn(own);
      for (const origin of origins) await wantStatus(gateway, 403, address, { Origin: origin });
      for (const host of hosts) await wantStatus(gateway, 403, address, { Host: host });
      const client = await gateway.knock(address, { Host: `localhost:${own.port}` });
      want("send" in client, "an upgrade for the Host localhost", client);
      await initialize(client);
    },
  },
  {
    id: "G08",
    title: "a ping is answered by a pong with its contents; a message of two frames has the limit of one",
    rules: ["P-FRM-6", "P-ERR-2"],
    async run(context) {
      const client = await joinInBase(await context.start());
      const probe = bytes({ id: "p-1", method: "conformance/none" });
      client.frame(opcodes.text, probe.subarray(0, 20), false);
      for (const said of ["", "are you there?"])
        wantSame(
          "the contents of the pong",
          Buffer.from(await client.ping(Buffer.from(said))).toString(),
          said,
        );
      client.frame(opcodes.more, probe.subarray(20));
      await wantError(client, "p-1", -32601);
      const half = Buffer.alloc(17 * 1024 * 1024, 0x20);
      client.frame(opcodes.text, half, false);
      client.frame(opcodes.more, half);
      await wantClosed(client, 1009);
    },
  },
];
