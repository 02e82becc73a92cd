import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { lateStyles } from "./late-styles.js";

/** A file of the page did not come, or is of another version than the files that did. */
export class NotLoaded extends Error {}

/**
 * Makes a component of one in a separate file, shown once the styles of those are there too. After a failure, the file is asked for again by the next one that is
 * shown, such as where a part is drawn anew.
 *
 * @param meanwhile what is shown until the file is there. Default: nothing.
 */
export function later<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  let isMissing = false;
  const attempt = () => {
    isMissing = false;
    const loaded = lazy(async () => {
      const styles = lateStyles();
      try {
        return await load();
      } catch (cause) {
        isMissing = true;
        throw new NotLoaded("a file of the page could not be loaded", { cause });
      } finally {
        await styles;
      }
    });
    return loaded as unknown as ComponentType<Props>;
  };
  let last = attempt();
  const newest = () => {
    if (isMissing) last = attempt();
    return last;
  };
  return (props) => <Loaded {...{ newest, meanwhile, props }} />;
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
  const [There] = useState(() => newest());
  return (
    <Suspense fallback={meanwhile(props)}>
      <There {...props} />
    </Suspense>
  );
}
