import type { Box } from "../kept/box.js";

/** The name under which the device keeps that it has a subscription to push messages. */
export const PUSH_MARK = "push";

/** True where this device had a subscription when the page was last there. */
export const wasOn = (device: Pick<Box, "get">): boolean => device.get(PUSH_MARK) !== undefined;
