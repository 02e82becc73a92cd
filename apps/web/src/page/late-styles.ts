/**
 * Loads the styles of what the first question does not need, whose address is in the page. Resolves once they are there,
 * or do not come: a part without its looks still works, and the next part asks for them again.
 */
export function lateStyles(): Promise<unknown> {
  const address = document.querySelector<HTMLMetaElement>("meta[name=askwire-later]")?.content;
  const there = document.querySelector<HTMLLinkElement>("link[data-later]");
  if (address === undefined || there?.sheet) return Promise.resolve();
  const link = there ?? Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  return new Promise((resolve) => {
    link.addEventListener("load", resolve, { once: true });
    link.addEventListener("error", (event) => {
      link.remove();
      resolve(event);
    });
    if (there !== null) return;
    link.dataset.later = "";
    document.head.append(link);
  });
}
