import type { ReactNode } from "react";

/** The lines of each sign, on a ground of 16 by 16. */
const lines = {
  question:
    "M8 1.25a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 1 0 0-13.5M6 6.25a2 2 0 1 1 3 1.75q-1 .6-1 1.5M8 11.5v.25",
  command: "m2 4 4 4-4 4M8 12.5h6",
  check: "m3 8.5 3.25 3.25L13 5",
  cross: "m4 4 8 8M12 4l-8 8",
  circle: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11",
  list: "m1.5 4 1 1 2-2m-3 9 1 1 2-2M7.5 4h7M7.5 8h7M7.5 12h7",
  note: "M2.5 2.5h11v7l-4 4h-7zM13.5 9.5h-4v4",
  picture: "M2 2.5h12v11H2zM2 11l3.5-3.5L11 13M9.5 6.25h.5",
  pen: "m2.5 13.5.75-3L11 2.75l2.25 2.25-7.75 7.75z",
  copy: "M5.5 5.5h8v8h-8zM3 10.5h-.5v-8h8V3",
  chevron: "m6 3.5 4.5 4.5L6 12.5",
  file: "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 11h5",
  search: "M7 2a5 5 0 1 0 0 10A5 5 0 1 0 7 2m3.75 8.75L14 14",
  globe: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13M1.5 8h13M8 1.5q-5 6.5 0 13 5-6.5 0-13",
  agent: "M2.5 5.5h11v8h-11zM8 5.5v-3H6M5.75 9v1M10.25 9v1",
  more: "M3.25 8h.01M8 8h.01M12.75 8h.01",
  plus: "M8 3v10M3 8h10",
  stop: "M4 4h8v8H4z",
  up: "M8 13V3.5M3.75 7.5 8 3.25l4.25 4.25",
  inbox: "M2 8.5h3.5l1 2h3l1-2H14M4 3.5h8l2 5v4H2v-4z",
  tool: "M13.5 4.5 11 7 9 5l2.5-2.5a4 4 0 0 0-5 5L2 12l2 2 4.5-4.5a4 4 0 0 0 5-5",
} as const;

/** The name of a sign. */
export type IconName = keyof typeof lines;

/** A sign for the eye alone: words beside it, or the name of its button, say the same. */
export const Icon = ({
  name,
  className = "",
}: {
  readonly name: IconName;
  readonly className?: string;
}): ReactNode => (
  <svg className={`askwire-icon ${className}`.trimEnd()} viewBox="0 0 16 16" aria-hidden="true">
    <path d={lines[name]} />
  </svg>
);
