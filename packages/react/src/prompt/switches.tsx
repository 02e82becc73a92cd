import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";

/** The states of a session that a person switches, where there is a way to do it. */
interface Switched {
  readonly planMode?: boolean;
  onPlanMode?(enabled: boolean): unknown;
  readonly doNotAsk?: boolean;
  onDoNotAsk?(enabled: boolean): unknown;
}

/** The switches of the session, as far as there are any. */
export const Switches = ({
  props,
  isOff,
  words,
  attempt,
}: {
  readonly props: Switched;
  readonly isOff: boolean;
  readonly words: TalkWords;
  attempt(act: () => unknown): unknown;
}): ReactNode => (
  <>
    {props.onPlanMode && (
      <Switch
        label={words.plans}
        checked={props.planMode === true}
        disabled={isOff}
        onChange={(checked) => void attempt(() => props.onPlanMode?.(checked))}
      />
    )}
    {props.onDoNotAsk && (
      <Switch
        label={words.doNotAskMe}
        checked={props.doNotAsk === true}
        disabled={isOff}
        onChange={(checked) => void attempt(() => props.onDoNotAsk?.(checked))}
      />
    )}
  </>
);

const Switch = ({
  label,
  checked,
  disabled,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  onChange(checked: boolean): void;
}): ReactNode => (
  <label className="askwire-switch">
    <input
      type="checkbox"
      // biome-ignore lint/a11y/useAriaPropsForRole: a check box tells its own state
      role="switch"
      checked={checked}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
    />
    {label}
  </label>
);
