// The public surface for users of vscode-jsonrpc, in any runtime: `@askwire/protocol/vscode-jsonrpc`.
export { type JsonRpcTransport, jsonRpcChannel } from "./json-rpc-channel.js";
export {
  LineMessageReader,
  type LineMessageReaderOptions,
  LineMessageWriter,
} from "./line-messages.js";
