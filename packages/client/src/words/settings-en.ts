// The words of the page's settings in English, apart from the page's others: a page loads them with its settings.

export const englishSettings = {
  /** The names of the groups of choices. */
  groups: { told: "Being told", looks: "Looks", device: "This device" },
  /** The choice for each session that begins here. */
  asking: "Questions of agents",
  askings: {
    unset: "as each session has it",
    ask: "ask me in new sessions",
    doNotAsk: "do not ask me in new sessions",
  },
  sound: "Sound when something is asked",
  notify: "Notification when something is asked and this page is not in front",
  noNotice: {
    insecure: "Notifications need https, or an address of this machine itself.",
    unsupported: "This browser has no notifications for this page.",
    denied: "The browser was told to show none for this page. Its settings can change that.",
  },
  remember: "Remember this device after the tab is closed",
  rememberAt: (host: string) => `Remember this device at ${host} after the tab is closed`,
  forget: "Forget the token and leave",
  forgetAll: "Forget all tokens and leave",
};

/** The words of the settings of the page in one language. */
export type SettingsWords = typeof englishSettings;
