/** The command's version; put in by the bundler. */
declare const __ASKWIRE_VERSION__: string;
