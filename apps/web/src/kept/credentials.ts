import { type Store, store } from "@askwire/react/cards";
import type { Box } from "./box.js";

/** The token of this device: for the tab, and beyond it only where the person says so. */
export interface Credentials {
  /** The token, if there is one. */
  token(): string | undefined;
  /** True for the token of a device that was paired: a server that refuses it lets the device in no more. */
  isPaired(): boolean;
  /** Takes another token, for this tab. One that was remembered is forgotten. */
  take(token: string, isPaired: boolean): void;
  /** True if the token outlives the tab. */
  readonly remembered: Store<boolean>;
  /** Lets the token outlive the tab, or no longer. */
  remember(isRemembered: boolean): void;
  /** Forgets the token everywhere. */
  forget(): void;
}

const NAME = "token";
/** There while the token is that of a paired device. */
const PAIRED = "paired";

/**
 * The token as the tab and the device keep it. Without storage it lives as long as the page.
 *
 * @param tab forgets with the tab.
 * @param device outlives it.
 */
export function credentials(tab: Box, device: Box): Credentials {
  let token = tab.get(NAME) ?? device.get(NAME);
  let paired = (tab.get(PAIRED) ?? device.get(PAIRED)) !== undefined;
  // The device is read each time: another tab may have forgotten the token.
  const isRemembered = () => token !== undefined && device.get(NAME) === token;
  const { subscribe, set } = store(isRemembered());
  const changed = () => set(isRemembered());

  /** Notes in a box that keeps the token whether it is a device's. */
  function note(box: Box): void {
    if (paired) box.set(PAIRED, "yes");
    else box.remove(PAIRED);
  }

  function leaveDevice(): void {
    device.remove(NAME);
    device.remove(PAIRED);
  }

  return {
    token: () => token,
    isPaired: () => paired,
    take(next, isPaired) {
      if (!isRemembered() || token !== next) leaveDevice();
      token = next;
      paired = isPaired;
      tab.set(NAME, next);
      note(tab);
      changed();
    },
    remembered: { current: isRemembered, subscribe },
    remember(should) {
      if (token !== undefined && should) {
        device.set(NAME, token);
        note(device);
      } else leaveDevice();
      changed();
    },
    forget() {
      token = undefined;
      paired = false;
      tab.remove(NAME);
      tab.remove(PAIRED);
      leaveDevice();
      changed();
    },
  };
}
