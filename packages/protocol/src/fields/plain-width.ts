/** A text with wide digits, signs and letters, as an input method types them, in their plain form. No other is one: `²` is no 2. */
export const plainWidth = (text: string): string =>
  text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
