export { overStdio } from "../askwire/client.mjs";
