// The worker that finds the colours of code. It has no part of the page, and is ended where a text takes too long.
import { serveColours } from "@askwire/react/code";

serveColours(self);
