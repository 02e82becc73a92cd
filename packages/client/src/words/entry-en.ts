// The words of the page without a token in English, apart from the page's others: a page loads them with its entry.

export const englishEntry = {
  entrance: "Connect this page to an agent",
  howTo: "On the machine where the agent works, run one of these:",
  howToOpen: "opens this page in the browser there",
  howToScan: "shows a code that a phone scans",
  entry: "Address or pairing code",
  connect: "Connect",
  howToAdd:
    "Paste the address that the other server printed, or one with a pairing code. This page may reach:",
  howToLetIn: "lets this page in, on the machine of that server",
  /** The way back from where another server is entered. */
  backTo: (host: string) => `Back to ${host}`,
  problems: {
    refused: "The pairing code is wrong, was used before, or is too old. Ask for a new one.",
    too_many: "Too many tries. Wait a minute, then try again.",
    failed: "The server could not be asked. Check that it runs, then try again.",
    other_server:
      "That address belongs to another server: open it in the browser, or let this page reach it by --page-server.",
    which_server: "Several servers may be meant: paste the whole address.",
    nothing: "That is no address with a token, and no pairing code.",
  },
};

/** The words of the page without a token in one language. */
export type EntryWords = typeof englishEntry;
