import { type AddressInfo, createServer as createRelay, connect as dial, type Socket } from "node:net";
import { connectWebSocket } from "@askwire/client/websocket";
import { createServer } from "@askwire/server";
import { listenWebSocket } from "@askwire/server/websocket";
import { expect, onTestFinished, test } from "vitest";
import { colour, newHome, startHost } from "./hosts.js";

/** A server behind two relays, which count attempts to connect, and break what they carry once they are cut. */
async function relays() {
  const server = createServer({ agent: { run: async () => {} } });
  const listening = await listenWebSocket(server, {});
  onTestFinished(async () => {
    await listening.close();
    await server.close();
  });
  const address = new URL(listening.address(server.createSession({ stay: true })));
  const { port } = address;
  let isCut = false;
  const relay = async () => {
    let attempts = 0;
    const carried = new Set<Socket>();
    const listener = createRelay((socket) => {
      attempts += 1;
      if (isCut) return socket.destroy();
      const onward = dial(Number(port), "127.0.0.1");
      for (const each of [socket, onward]) carried.add(each.on("error", () => {}));
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void listener.close());
    address.port = String((listener.address() as AddressInfo).port);
    return { address: address.href, attempts: () => attempts, carried };
  };
  const [one, other] = [await relay(), await relay()];
  const cut = () => {
    isCut = true;
    for (const { carried } of [one, other]) for (const socket of carried) socket.destroy();
  };
  return { one, other, cut };
}

test("a gateway that is away is tried no more often than any client would", async () => {
  const { one, other, cut } = await relays();
  const host = await startHost(await newHome(), { args: ["--connect", one.address, "--timeout", "1"] });
  await host.call("ask_user_question", { questions: [colour] });
  const plain = await connectWebSocket(other.address);
  onTestFinished(() => plain.close());
  cut();
  await expect.poll(other.attempts).toBeGreaterThanOrEqual(3);
  expect(one.attempts()).toBeLessThan(10);
});
