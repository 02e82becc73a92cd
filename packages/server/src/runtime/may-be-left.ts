/** Keeps a rejection that nobody hears from ending the process. */
export function mayBeLeft<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}
