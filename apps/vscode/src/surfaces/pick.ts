// Native picks and inputs as promises. Escape and a card that is gone give undefined; a look elsewhere changes nothing.
import { pressed, pressGuard } from "@askwire/client/form";
import {
  type InputBox,
  InputBoxValidationSeverity,
  l10n,
  type QuickInput,
  QuickInputButtons,
  type QuickPickItem,
  window,
} from "vscode";

/** The person goes back to the question before. */
export const back = Symbol("back");

/** A row of a pick, with what choosing it means. */
export type PickRow<T> = QuickPickItem & { readonly value: T };

interface Asked {
  readonly title: string;
  readonly placeholder: string;
  readonly step?: readonly [at: number, of: number];
  /** Aborted once the card is no longer open. */
  readonly signal: AbortSignal;
}

/**
 * Lets the person choose one row, or several with `many`.
 *
 * @param refuse the reason not to take the chosen rows. Undefined for a choice that counts.
 */
export function quickPick<T>(
  rows: readonly PickRow<T>[],
  asked: Asked & { readonly many?: boolean; refuse?(chosen: readonly T[]): string | undefined },
): Promise<readonly T[] | typeof back | undefined> {
  const input = window.createQuickPick<PickRow<T>>();
  input.items = rows;
  input.canSelectMany = asked.many === true;
  if (input.canSelectMany) input.selectedItems = rows.filter(({ picked }) => picked === true);
  input.matchOnDescription = true;
  input.matchOnDetail = true;
  const accept = () => {
    const chosen = input.selectedItems.map(({ value }) => value);
    const problem = asked.refuse?.(chosen);
    if (problem === undefined) return chosen;
    input.placeholder = problem;
    input.title = `${asked.title} – ${problem}`;
    return undefined;
  };
  // A second click on a row that is selected would report nothing.
  const anew = () => {
    if (!input.canSelectMany) input.items = [...rows];
  };
  return shown(input, asked, accept, { anew });
}

/**
 * Lets the person write a text, which `check` turns into a value or says what is wrong.
 *
 * @param asked.note what is to be said of a text as it stands. Default: nothing.
 */
export function write<T>(
  asked: Asked & {
    readonly value?: string;
    readonly password?: boolean;
    note?(text: string): string | undefined;
  },
  check: (text: string) => { readonly problem: string } | { readonly value: T },
): Promise<T | typeof back | undefined> {
  const input = window.createInputBox();
  input.value = asked.value ?? "";
  input.password = asked.password === true;
  input.prompt = asked.placeholder;
  const tell = () => {
    const message = asked.note?.(input.value);
    input.validationMessage =
      message === undefined ? "" : { message, severity: InputBoxValidationSeverity.Info };
  };
  tell();
  input.onDidChangeValue(tell);
  const accept = () => {
    const checked = check(input.value);
    if ("value" in checked) return checked.value;
    input.validationMessage = checked.problem;
    return undefined;
  };
  return shown(input, asked, accept, { hasWords: () => input.value !== (asked.value ?? "") });
}

/** A pick or an input. */
type Input = QuickInput & Pick<InputBox, "placeholder" | "buttons" | "onDidAccept" | "onDidTriggerButton">;

/** The answer of an input to a press that comes too soon. */
interface Early {
  /** True where words were typed or pasted, so that the press is meant. Default: there are none. */
  hasWords?(): boolean;
  /** Takes back what the press has changed. */
  anew?(): void;
}

/** Shows an input until the person is done with it. `accept` gives undefined for what does not count. */
function shown<R>(
  input: Input,
  { title, placeholder, step, signal }: Asked,
  accept: () => R | undefined,
  { hasWords = () => false, anew = () => {} }: Early = {},
): Promise<R | typeof back | undefined> {
  input.title = title;
  input.placeholder = placeholder;
  input.ignoreFocusOut = true;
  if (step !== undefined && step[1] > 1) [input.step, input.totalSteps] = step;
  if (step !== undefined && step[0] > 1) input.buttons = [QuickInputButtons.Back];
  return new Promise((resolve) => {
    const done = (result: R | typeof back | undefined) => {
      signal.removeEventListener("abort", gone);
      resolve(result);
      input.dispose();
    };
    const gone = () => {
      void window.showInformationMessage(
        l10n.t("Askwire: this was answered elsewhere, or is no longer open."),
      );
      done(undefined);
    };
    const guard = pressGuard(performance.now());
    // #region escape
    input.onDidAccept(() => {
      // An Enter that was meant for what was there before, unless words were typed or pasted since.
      const isMeant = hasWords() || pressed(guard, { at: performance.now(), clicks: 0 }).counts;
      if (!isMeant) {
        input.title = `${title} – ${l10n.t("that press came too soon: press again")}`;
        return anew();
      }
      const result = accept();
      if (result !== undefined) done(result);
    });
    input.onDidTriggerButton(() => done(back));
    input.onDidHide(() => done(undefined));
    signal.addEventListener("abort", gone, { once: true });
    // #endregion escape
    if (signal.aborted) gone();
    else input.show();
  });
}
