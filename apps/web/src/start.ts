// The start of the page. The address loses what it carries before anything else is loaded.
import { takeFragment } from "./entry/fragment.js";

const entered = takeFragment(location, history);
const { openPage } = await import("./page/open-page.js");
openPage(entered);
