/** Checks nothing: the names and messages of all options would be a tenth of a page's client. */
export const checkGiven = (_place: string, _kind: string, _given: object): void => {};
