/** The files of the package beside those of the command, as they are laid out. */
export const packedFiles = [
  ...["LICENSE", "README.md", "package.json", "package.nls.json", "package.nls.zh-cn.json"],
  ...["dist/agent.js", "dist/extension.js", "dist/webview/main.js", "dist/webview/view.css"],
  ...["l10n/bundle.l10n.zh-cn.json", "media/askwire.svg", "media/icon.png"],
  ...["agent", "answer", "start"].flatMap((step) =>
    ["md", "nls.zh-cn.md"].map((end) => `media/walkthrough-${step}.${end}`),
  ),
].sort();

/** The name of a file of the command. */
const ofCommand = /^dist\/command\/(askwire|chunk-[\w-]+)\.cjs$/;

/** The files that are not the command's, in order. */
export const ownFiles = (names: readonly string[]) => names.filter((name) => !ofCommand.test(name)).sort();
