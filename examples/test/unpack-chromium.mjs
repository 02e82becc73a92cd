// Unpacks the browser into the temporary folder that the environment names.
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
