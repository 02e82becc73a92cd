import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import type { Tool, ToolDialect, ToolOffer } from "@askwire/server";
import { boundedTime } from "@askwire/server/internal";
import { actionTool } from "./action-tool.js";
import { type AdpForm, adpForms } from "./arguments.js";
import { readCatalogue, type Service } from "./catalogue.js";
import { adpPrompt, type QueryPolicy, queryPolicies } from "./prompt.js";
import { type ErrorForm, errorForms, queryTool } from "./query-tool.js";
import { resultInText } from "./result-text.js";
import { adpTextCalls } from "./text-calls.js";

export type { AdpForm } from "./arguments.js";
export type { Service } from "./catalogue.js";
export type { QueryPolicy } from "./prompt.js";
export type { ErrorForm } from "./query-tool.js";

/** Settings of {@link adp}. */
export interface AdpSettings {
  /** Makes the services that the model may call. Called once for each session, so that tools may keep state. */
  readonly services: () => readonly Service[];
  /** The form of queries and calls: in the model's text, or as calls of a provider's tools. Default: `text`. */
  readonly form?: AdpForm;
  /**
   * The time at which the model is told to ask for parameters. A call without a query is checked too. Default:
   * `once-per-tool`.
   */
  readonly queryPolicy?: QueryPolicy;
  /** Queries that are answered in one turn. Default: 16. */
  readonly maxQueriesPerTurn?: number;
  /** The form of errors in a query: JSON with a code and candidates, or the native plain texts. Default: `json`. */
  readonly errors?: ErrorForm;
}

const MAX_QUERIES = 16;
/** The time limit of a check of arguments, in milliseconds. */
const CHECK_MS = 250;

const settingRules: OptionRules<AdpSettings> = {
  services: option.required(option.callable),
  form: option.oneOf(adpForms),
  queryPolicy: option.oneOf(queryPolicies),
  maxQueriesPerTurn: option.whole(1),
  errors: option.oneOf(errorForms),
};

/**
 * The parameter query (P-ADP-1). The model knows services and actions by name only, queries the parameters of an
 * action, and then calls it. The catalogue answers. The person is asked only for parameters that nobody else can give.
 *
 * Each session reads its services when it begins, and does not begin if they are wrong: a TypeError names the service,
 * the action and the place.
 *
 * @throws TypeError for an invalid setting.
 */
export function adp(settings: AdpSettings): ToolDialect {
  checkOptions("adp", settings, settingRules);
  const { services, form = "text", errors = "json" } = settings;
  const { queryPolicy = "once-per-tool", maxQueriesPerTurn = MAX_QUERIES } = settings;

  const within = boundedTime(CHECK_MS);
  function begin(): readonly Tool[] {
    const catalogue = readCatalogue(services(), within);
    const inText = form === "text" ? adpTextCalls(catalogue, resultInText) : undefined;
    let offer: ToolOffer | undefined;
    const isOffered = ({ offered }: Tool) => offer === undefined || (offered?.(offer) ?? true);
    const query: Tool = {
      ...queryTool(catalogue, { most: maxQueriesPerTurn, errors }),
      // Decided at the start of each step, before its instructions are read, since they list the offered actions.
      offered(now) {
        offer = now;
        return true;
      },
      get prompt() {
        return adpPrompt(catalogue, form, queryPolicy, isOffered);
      },
      ...(inText !== undefined && { inText }),
    };
    return [query, ...catalogue.actions.map((action) => actionTool(action, form, inText))];
  }

  return { name: form === "text" ? "adp" : "adp-native", begin };
}
