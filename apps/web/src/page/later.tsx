import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { lateStyles } from "./late-styles.js";

/** A file of the page did not come, or is of another version than the files that did. The browser's log says why. */
export class NotLoaded extends Error {
  /** Asks for the file again. */
  readonly load: () => Promise<unknown>;

  constructor(load: () => Promise<unknown>) {
    super("not loaded");
    this.load = load;
  }
}

/** A component of a separate file. */
export type Later<Props> = ComponentType<Props> & {
  /**
   * Loads the file before the component is shown. Resolves once that is over, also without the file, which the first
   * component that is shown asks for again.
   */
  ahead(): Promise<void>;
};

/**
 * Makes a component of one in a separate file, shown once the styles of those are there too. After a failure, the file
 * is asked for again by the next one that is shown, such as where a part is drawn anew.
 *
 * @param meanwhile what is shown until the file is there. Default: nothing.
 */
export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: (props: Props) => ReactNode = () => null,
): Later<Props> {
  /** The component once its file is there: it is then shown at once, with nothing meanwhile. */
  let there: ComponentType<Props> | undefined;
  const loaded = async () => {
    const styles = lateStyles();
    const file = await load().finally(() => styles);
    there = file.default;
    return file;
  };
  let last: ComponentType<Props>;
  const attempt = () => {
    last = lazy(() =>
      loaded().catch(() => {
        attempt();
        throw new NotLoaded(loaded);
      }),
    ) as unknown as ComponentType<Props>;
  };
  attempt();
  const newest = () => there ?? last;
  return Object.assign((props: Props) => <Loaded {...{ newest, meanwhile, props }} />, {
    async ahead() {
      if (there === undefined) await loaded().catch(() => {});
    },
  });
}

/** The component of a file, which stays the same above the boundary that waits for the file. */
function Loaded<Props extends object>({
  newest,
  meanwhile,
  props,
}: {
  readonly newest: () => ComponentType<Props>;
  readonly meanwhile: (props: Props) => ReactNode;
  readonly props: Props;
}): ReactNode {
  const [There] = useState(newest);
  return (
    <Suspense fallback={meanwhile(props)}>
      <There {...props} />
    </Suspense>
  );
}
