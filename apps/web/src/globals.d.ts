/** The version of the page, which its build puts in. */
declare const __ASKWIRE_VERSION__: string;
