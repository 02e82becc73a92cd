/** The version of this package, as in its package.json. */
export const SERVER_VERSION = "0.1.0";
