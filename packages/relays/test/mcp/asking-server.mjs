// The tools that ask, over stdio. With --hang the program says nothing.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { askingServer } from "./asking-tools.mjs";

if (process.argv[2] === "--hang") {
  process.stderr.write("warming up\n");
  process.stdin.resume();
} else serveStdio(askingServer);
