/** The command's version; put in by the bundler. */
declare const __ASKWIRE_VERSION__: string;

/** A text beside the sources, put in by the bundler. */
declare module "*.yaml" {
  const text: string;
  export default text;
}
