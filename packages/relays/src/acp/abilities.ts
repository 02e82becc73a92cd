import { LocalError, validate } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import type { AcpVersion } from "./introduce.js";

/** A way to log in to an agent. */
export interface LoginMethod {
  readonly id: string;
  readonly name: string;
}

/** The abilities that an agent declared, the same for both versions. */
export interface Abilities {
  readonly version: AcpVersion;
  /** The name that the agent gave itself; undefined without one. */
  readonly name: string | undefined;
  /** True if a conversation can be loaded, with all that was said in it. */
  readonly load: boolean;
  /** True if a conversation can resume, with nothing of it said again. */
  readonly resume: boolean;
  /** The content that a prompt may have besides text and links. */
  readonly image: boolean;
  readonly audio: boolean;
  readonly embedded: boolean;
  /** The ways to log in. */
  readonly logins: readonly LoginMethod[];
}

const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));
const flag = z.optional(z.unknown());
const Info = nullish(z.looseObject({ name: z.string(), title: nullish(z.string()) }));
const Prompts = nullish(z.looseObject({ image: flag, audio: flag, embeddedContext: flag }));
const Login = z.looseObject({
  id: z.optional(z.string()),
  methodId: z.optional(z.string()),
  name: z.string(),
});

const Initialized = z.looseObject({
  protocolVersion: z.int(),
  agentInfo: Info,
  info: Info,
  authMethods: nullish(z.array(Login)),
  agentCapabilities: nullish(
    z.looseObject({
      loadSession: flag,
      promptCapabilities: Prompts,
      sessionCapabilities: nullish(z.looseObject({ resume: flag })),
    }),
  ),
  capabilities: nullish(z.looseObject({ session: nullish(z.looseObject({ prompt: Prompts })) })),
});

/** Abilities are booleans in version 1, and objects in version 2. */
const isOffered = (ability: unknown) => ability != null && ability !== false;

/**
 * Reads the result of `initialize`.
 *
 * @throws LocalError BAD_PEER if it is not one of ACP, or of a version that is not spoken.
 */
export function abilitiesOf(initialized: unknown): Abilities {
  const parsed = validate(Initialized, initialized);
  if (!parsed.ok) throw new LocalError("BAD_PEER", `the result of initialize: ${parsed.problem}`);
  const {
    protocolVersion: version,
    agentInfo,
    info,
    authMethods,
    agentCapabilities,
    capabilities,
  } = parsed.value;
  if (version !== 1 && version !== 2) {
    const next = "use a version of the agent that speaks ACP 1";
    throw new LocalError("BAD_PEER", `the agent speaks version ${version} of ACP; expected 1 or 2: ${next}`);
  }
  const introduced = version === 2 ? (info ?? agentInfo) : (agentInfo ?? info);
  const prompts = version === 2 ? capabilities?.session?.prompt : agentCapabilities?.promptCapabilities;
  return {
    version,
    name: introduced?.title ?? introduced?.name,
    load: version === 2 ? capabilities?.session != null : isOffered(agentCapabilities?.loadSession),
    resume:
      version === 2
        ? capabilities?.session != null
        : isOffered(agentCapabilities?.sessionCapabilities?.resume),
    image: isOffered(prompts?.image),
    audio: isOffered(prompts?.audio),
    embedded: isOffered(prompts?.embeddedContext),
    logins: (authMethods ?? []).flatMap(({ id, methodId, name }) => {
      const known = id ?? methodId;
      return known === undefined ? [] : [{ id: known, name }];
    }),
  };
}
