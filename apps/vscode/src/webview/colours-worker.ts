// The worker that finds the colours of code, in the view as on the page.
import { serveColours } from "@askwire/react/code";

serveColours(self);
