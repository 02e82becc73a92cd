/** Makes the search for a pattern that others wrote, which ends in bounded time. */
export type PatternSearch = (pattern: string) => (text: string) => boolean;
