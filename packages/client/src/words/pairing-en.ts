// The words of the sheet that adds a phone in English, apart from the page's others: a page loads them with its bar.

export const englishPairing = {
  title: "Add a phone",
  asking: "Asking the server for a code…",
  qr: "The address with the code, as a QR code",
  scan: "Scan it with the camera, or enter on the phone",
  /** `left` is minutes and seconds. */
  counts: (left: string) => `Counts once, for ${left}`,
  /** The person who has the phone, whom its answers name. */
  whose: "Whose phone is it? Its answers carry this name.",
  may: "What it may do",
  mays: { all: "Answer, write and stop", answer: "Answer only" },
  readable:
    "Not encrypted: others in this network can read what the phone shows. For https, start the server with --tls-cert and --tls-key, or put it behind TLS and name that address with --public-url.",
  /** `device` is foreign text. */
  paired: (device: string) => `Used by ${device}.`,
  over: "This code no longer counts.",
  another: "Make another code",
  /** Followed by the ways, each an option of the command. */
  unreachable: "Only this machine reaches the server, so a phone cannot. Start it again with one of these:",
  /** `why` is the server's word, in English. */
  failed: (why: string) => `There is no code: ${why}`,
};

/** The words of the sheet that adds a phone in one language. */
export type PairingWords = typeof englishPairing;
