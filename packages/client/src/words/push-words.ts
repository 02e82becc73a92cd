/** The words about push notifications in one language: those of the notifications, and those of the page's settings. */
export interface PushWords {
  /** The title of a request; an empty header leaves only its kind. */
  readonly asked: (kind: "question" | "approval", header: string) => string;
  /** The title once a request is settled. */
  readonly settled: string;
  /** The text of a test. */
  readonly tested: string;
  readonly heading: string;
  readonly on: string;
  readonly busy: string;
  /** The amount of text that notifications show, as the operator chose. */
  readonly shows: Readonly<Record<"none" | "header" | "full", string>>;
  readonly learns: string;
  /** The reason why there are none, with the next step. */
  readonly hindered: Readonly<
    Record<"insecure" | "unsupported" | "denied" | "unpaired" | "elsewhere" | "unserved", string>
  >;
  /** Followed by the steps. */
  readonly homeScreen: string;
  readonly homeScreenSteps: readonly string[];
  readonly again: string;
  readonly remembers: string;
  /** `host` is followed by the host. */
  readonly failed: Readonly<Record<"taken" | "host" | "browser" | "server", string>>;
  readonly quiet: string;
  readonly from: string;
  readonly until: string;
  readonly later: string;
  readonly mute: string;
  readonly test: string;
  readonly sent: string;
  readonly tooSoon: string;
  /** `why` is the server's word, in English. */
  readonly undelivered: (why: string) => string;
}
