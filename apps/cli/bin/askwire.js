#!/usr/bin/env node
require("../dist/askwire.cjs");
