// Takes and releases the lock of a folder where its parent says so, and tells whether it has it.
import { nodeDisk, takeLock } from "@askwire/server/internal";

let folder = "";
let release = () => {};

/** True where the lock is this process's now. */
function takes() {
  try {
    release = takeLock(nodeDisk, folder);
    return true;
  } catch {
    return false;
  }
}

process.on("message", (message) => {
  if ("folder" in message) folder = message.folder;
  if ("release" in message) {
    release();
    release = () => {};
  }
  process.send?.("take" in message ? takes() : "done");
});
