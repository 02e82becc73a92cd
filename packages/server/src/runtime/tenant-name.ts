/** Describes what is wrong with the name of a tenant; undefined for one that fits (P-TEN-1). */
export const tenantProblem = (text: string): string | undefined =>
  /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text)
    ? undefined
    : "expected 1 to 63 small letters, digits, - and _, of which the first is a letter or a digit";
