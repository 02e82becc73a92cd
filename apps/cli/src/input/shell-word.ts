/** A word as a shell of the platform reads it. */
export function shellWord(word: string, platform = process.platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
