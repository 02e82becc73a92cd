import { randomBytes } from "node:crypto";
import type { Device, Devices } from "../../src/websocket.js";

/** Devices in memory, which take these codes once. */
export function memoryDevices(codes: Readonly<Record<string, Device["role"] | "any">>) {
  const open = new Map(Object.entries(codes));
  const paired = new Map<string, Device>();
  const revoked = new Set<(id: string) => void>();
  const names: string[] = [];
  const devices: Devices = {
    match: (token) => paired.get(token),
    pair(code, name) {
      if (code === "FULL") throw new Error("the disk is full");
      const found = open.get(code);
      if (!open.delete(code)) return undefined;
      names.push(name);
      const device: Device = { id: `d${paired.size}`, ...(found === "answer" && { role: found }) };
      const token = randomBytes(32).toString("base64url");
      paired.set(token, device);
      return { ...device, token };
    },
    watchRevoked(tell) {
      revoked.add(tell);
      return () => revoked.delete(tell);
    },
  };
  return {
    devices,
    names,
    watchers: revoked,
    revoke(token: string): void {
      const id = paired.get(token)?.id as string;
      paired.delete(token);
      for (const tell of revoked) tell(id);
    },
  };
}
