// The import() of Node. The command's own files are compiled without it (src/code-cache.ts).
"use strict";

module.exports = (address) => import(address);
