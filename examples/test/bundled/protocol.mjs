// Two peers over a linked pair that is watched: the one cancels, the other has nothing to cancel.
import { PassThrough } from "node:stream";
import { agentMethods, bindPeer, clientMethods, WireError } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { lineChannel, validateCompiled } from "@askwire/protocol/node";
import { linkedPair } from "@askwire/protocol/testing";

const { left, right } = linkedPair();
bindPeer({
  channel: left,
  local: agentMethods,
  remote: clientMethods,
  handlers: {
    cancel() {
      throw new WireError("InvalidState", "no turn runs");
    },
  },
});
const client = bindPeer({
  channel: right,
  local: clientMethods,
  remote: agentMethods,
  handlers: {},
  validate: validateCompiled,
});
client.request("cancel", {}).catch(({ code, message }) => {
  lineChannel(new PassThrough(), process.stdout).send(jsonText({ code, message }));
});
