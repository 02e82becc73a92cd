import type { Devices } from "@askwire/server/websocket";
import { deviceIds, deviceOf, keepDevice } from "./kept-devices.js";
import type { PairingCodes } from "./pairing-codes.js";

/** The time by which a device that another process revokes is no longer let in, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * The devices of a folder, as a gateway lets them in.
 *
 * @param failed told why a device could not be kept.
 * @param invite makes a code for a client that asks for one. Default: clients make none.
 */
export function servedDevices(
  folder: string,
  {
    codes,
    failed,
    invite,
    owner,
  }: Pick<Devices, "invite"> & {
    /** The name of the person whose devices are paired for everything by a code that names nobody. Default: nobody's. */
    readonly owner?: string;
    readonly codes: Pick<PairingCodes, "use">;
    readonly failed: (error: Error) => void;
  },
): Devices {
  /** The devices that were there at the last look, or came since. */
  let known = new Set<string>();
  /** Each gateway that has these devices is told of what any of them finds revoked. */
  const watchers = new Set<(id: string) => void>();

  return {
    ...(invite !== undefined && { invite }),
    match(token) {
      const device = deviceOf(folder, token);
      if (device !== undefined) known.add(device.id);
      return device;
    },
    pair(code, name) {
      return codes.use(code, ({ role, person = role === undefined ? owner : undefined }) => {
        try {
          return keepDevice(folder, { name, role, person });
        } catch (error) {
          failed(error as Error);
          throw error;
        }
      });
    },
    watchRevoked(revoked) {
      const look = () => {
        let ids: Set<string>;
        try {
          ids = new Set(deviceIds(folder));
        } catch {
          // A folder that cannot be read now says nothing of its devices.
          return;
        }
        const gone = [...known].filter((id) => !ids.has(id));
        known = ids;
        for (const id of gone) for (const tell of watchers) tell(id);
      };
      watchers.add(revoked);
      const timer = setInterval(look, LOOK_MS).unref();
      return () => {
        watchers.delete(revoked);
        clearInterval(timer);
      };
    },
  };
}
