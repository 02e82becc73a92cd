// Checks the introduction of the server that its arguments name.
import { jsonReport, serverSuite } from "@askwire/conformance-tests";

void serverSuite.run({ command: process.argv.slice(2), only: new Set(["S01"]) }).then((report) => {
  console.log(jsonReport(report));
});
