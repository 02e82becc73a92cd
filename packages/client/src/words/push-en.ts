// The words about push notifications in English, apart from the page's others: a page loads them with its settings.
import type { PushWords } from "./push-words.js";

export const englishPush: PushWords = {
  asked: (kind, header) => {
    const name = kind === "question" ? "Question" : "Approval";
    return header === "" ? name : `${name}: ${header}`;
  },
  settled: "No longer waiting",
  tested: "Notifications reach this device.",
  heading: "While this page is closed",
  on: "Push notifications to this device",
  busy: "One moment…",
  shows: {
    none: "They only say that something is asked.",
    header: "They show the header of a question, or the action to be approved.",
    full: "They show the question with its options.",
  },
  learns:
    "They come by the push service of the browser's maker, which learns when and how much is sent, and not what.",
  hindered: {
    insecure: "Push notifications need https, or an address of this machine itself.",
    unsupported: "This browser has no push notifications for this page.",
    denied:
      "The browser was told to show no notifications for this page. Open its settings for this site, by the symbol beside the address or in the settings of the system, allow notifications there, and come back.",
    unpaired:
      "Only a paired device gets push notifications. Pair this one: scan the code that askwire serve --qr draws, or open the page by --open.",
    elsewhere:
      "Push notifications come from the server of this page alone. Open the other server's own page.",
    unserved: "The server did not answer. Check that it runs, then try again.",
  },
  homeScreen: "On an iPhone or iPad, only an app of the home screen gets push notifications:",
  homeScreenSteps: [
    "In Safari, tap Share, then Add to Home Screen.",
    "Open Askwire from the home screen.",
    "Pair it there, as its pages are kept apart from Safari's, and come back to these settings.",
  ],
  again: "Try again",
  remembers: "This device is remembered for that.",
  failed: {
    taken: "Another device has this subscription. Try again.",
    host: "The server sends nothing to this browser's push service. Allow its host by --push-host:",
    browser: "The browser could not reach its push service. Check the connection, then try again.",
    server: "The server could not do that. Try again.",
  },
  quiet: "Quiet hours",
  from: "from",
  until: "until",
  later: "What still waits at their end is told then.",
  mute: "None from this session",
  test: "Send a test",
  sent: "A test was sent. It arrives within a few seconds.",
  tooSoon: "A test was sent just now. Wait a few seconds.",
  undelivered: (why) => `The test could not be sent: ${why}`,
};
