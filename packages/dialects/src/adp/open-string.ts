/** Reports if a place in JSON text is within a string. Places are asked in ascending order. */
export type OpenString = (text: string, place: number) => boolean;

/** Of JSON text that begins there. */
export function openString(from: number): OpenString {
  let at = from;
  let open = false;
  return (text, place) => {
    for (; at < place; at += 1) {
      if (text[at] === '"') open = !open;
      else if (open && text[at] === "\\") at += 1;
    }
    return open;
  };
}
