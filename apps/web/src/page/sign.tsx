import type { ReactNode } from "react";

/** The lines of each sign, on a ground of 16 by 16. */
const lines = {
  inbox: "M2 8.5h3.5l1 2h3l1-2H14M4 3.5h8l2 5v4H2v-4z",
  sessions: "M2 2.5h12v11H2zM6 2.5v11",
  phone: "M5 1.5h6v13H5zM7.5 12.25h1",
  settings: "M3.25 8h.01M8 8h.01M12.75 8h.01",
} as const;

/** The words of a button of the bar, in the place of which a phone shows a sign. */
export const Sign = ({
  name,
  children,
}: {
  readonly name: keyof typeof lines;
  readonly children: string;
}): ReactNode => (
  <>
    <svg className="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d={lines[name]} />
    </svg>
    <span>{children}</span>
  </>
);
