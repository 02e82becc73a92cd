import { extensionWords } from "@askwire/client/words";

/** The locales of the editor for which the package has texts, beside English. */
export const locales = Object.values(extensionWords).flatMap((words) =>
  "locale" in words ? [words.locale] : [],
);

/** The files of the package beside those of the command, as they are laid out. */
export const packedFiles = [
  ...["CHANGELOG.md", "LICENSE", "README.md", "package.json", "package.nls.json"],
  ...["dist/agent.js", "dist/extension.js", "dist/webview/main.js", "dist/webview/view.css"],
  ...["media/askwire.svg", "media/icon.png"],
  ...locales.flatMap((locale) => [`package.nls.${locale}.json`, `l10n/bundle.l10n.${locale}.json`]),
  ...["agent", "answer", "start"].flatMap((step) =>
    ["md", ...locales.map((locale) => `nls.${locale}.md`)].map((end) => `media/walkthrough-${step}.${end}`),
  ),
].sort();

/** The name of a file of the command. */
const ofCommand = /^dist\/command\/(askwire|chunk-[\w-]+)\.cjs$/;

/** The files that are not the command's, in order. */
export const ownFiles = (names: readonly string[]) => names.filter((name) => !ofCommand.test(name)).sort();
