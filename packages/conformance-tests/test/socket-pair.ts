import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Both ends of a connection over the loopback. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const door = createServer().listen(0, "127.0.0.1");
  await once(door, "listening");
  const accepted = once(door, "connection");
  const left = connect((door.address() as AddressInfo).port, "127.0.0.1");
  const [right] = (await accepted) as [Socket];
  door.close();
  return [left, right];
}
