/**
 * The policy of the view's page: scripts and styles of the extension, colours of code in a worker, nothing of the network.
 *
 * @param source where the editor serves the extension's own files.
 * @param nonce the mark of the page's own scripts.
 */
export function viewPolicy(source: string, nonce: string): string {
  // #region policy
  const policy = [
    "default-src 'none'",
    `style-src ${source}`,
    `font-src ${source}`,
    "img-src data: blob:",
    `script-src 'nonce-${nonce}'`,
    "worker-src blob:",
  ].join("; ");
  // #endregion policy
  return policy;
}
