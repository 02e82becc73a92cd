/** The connected program that asks by `ask` (P-XAK-2). */
export interface AskingProgram {
  /** The program's own name of the ask. */
  readonly key: string;
  readonly by: { readonly name: string; readonly connection: string };
  /** The id of the client that is not asked, since it is the one that asks; undefined if it is asked too. */
  readonly unasked?: string | undefined;
  /** The id of the client whose loss withdraws the request; undefined where it stays (P-XAK-6). */
  readonly bound?: string | undefined;
  /** The calls that wait for the outcome; undefined as long as there never were several (P-XAK-10). */
  calls?: number;
}
