import { atLevel } from "../../contract/levels.js";
import { type Suite, suite } from "../../run/suite.js";
import { initialize } from "../conversation.js";
import { extendedIntroduction } from "../extended.js";
import { isExtended } from "../wire.js";
import { withEnvelope } from "../with-envelope.js";
import { withoutToken } from "./cluster-addresses.js";
import { clusterChecks } from "./cluster-checks.js";
import { openClusterContext } from "./cluster-context.js";

const checked = suite({
  subject: "cluster",
  checks: atLevel("resilience", clusterChecks, "askwire").map((check) => withEnvelope(check)),
  defaultClaims: () => () => true,
  exceptions: [],
  probe: {
    async run(nodes) {
      const results: unknown[] = [];
      for (let node = 0; node < nodes.size; node += 1) {
        const client = await nodes.connect(node);
        results.push((await initialize(client, { ...extendedIntroduction(), lobby: true })).result);
      }
      return results.every(isExtended);
    },
    advice: "open each address with askwire inbox --connect ADDRESS: nodes must run, and take the token",
  },
  open: openClusterContext,
});

/**
 * The checks of several nodes that run already and are one server to their clients. The command is their addresses,
 * `ws://<host>:<port>/wire#<token>` each; the report has them without tokens. Each check makes sessions of its own, and
 * closes them.
 */
export const clusterSuite: Suite = {
  ...checked,
  async run(options) {
    const report = await checked.run(options);
    return { ...report, command: report.command.map(withoutToken) };
  },
};
