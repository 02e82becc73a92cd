import { type Store, store } from "@askwire/react/cards";
import type { Box } from "./box.js";

/** The token of this device: for the tab, and beyond it only where the person says so. */
export interface Credentials {
  /** The token, if there is one. */
  token(): string | undefined;
  /** Takes another token, for this tab. One that was remembered is forgotten. */
  take(token: string): void;
  /** True if the token outlives the tab. */
  readonly remembered: Store<boolean>;
  /** Lets the token outlive the tab, or no longer. */
  remember(isRemembered: boolean): void;
  /** Forgets the token everywhere. */
  forget(): void;
}

const NAME = "token";

/**
 * The token as the tab and the device keep it. Without storage it lives as long as the page.
 *
 * @param tab forgets with the tab.
 * @param device outlives it.
 */
export function credentials(tab: Box, device: Box): Credentials {
  let token = tab.get(NAME) ?? device.get(NAME);
  // The device is read each time: another tab may have forgotten the token.
  const isRemembered = () => token !== undefined && device.get(NAME) === token;
  const { subscribe, set } = store(isRemembered());
  const changed = () => set(isRemembered());
  return {
    token: () => token,
    take(next) {
      if (!isRemembered() || token !== next) device.remove(NAME);
      token = next;
      tab.set(NAME, next);
      changed();
    },
    remembered: { current: isRemembered, subscribe },
    remember(should) {
      if (token !== undefined && should) device.set(NAME, token);
      else device.remove(NAME);
      changed();
    },
    forget() {
      token = undefined;
      tab.remove(NAME);
      device.remove(NAME);
      changed();
    },
  };
}
