/** The factor from the smaller work to the larger. */
const FACTOR = 16;
const ROUNDS = 3;
/** Microseconds of the processor that are more than noise. */
const ENOUGH = 3_000;

/** Between growing with the size, which gives 16, and with its square, which gives 256. */
export const LINEAR = 100;
/** Between no growth, which gives 1, and growing with the size. */
export const CONSTANT = 4;

/** The attempts, since memory that is collected meanwhile may make the larger work look slow. */
const ATTEMPTS = 3;

/**
 * The growth of the work for a size sixteen times as large. Measured in the processor time of this process alone, so
 * that a busy machine changes little: a growth above LINEAR is measured again, and the least counts.
 *
 * @param size the first size, which is doubled until the work is long enough to be counted.
 */
export async function growth(work: (size: number) => unknown, size: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least >= LINEAR; attempt++)
    least = Math.min(least, await measured(work, size));
  return least;
}

async function measured(work: (size: number) => unknown, size: number): Promise<number> {
  let first = size;
  let small = await cost(work, first);
  while (small < ENOUGH) {
    first *= 2;
    small = await cost(work, first);
  }
  return (await cost(work, FACTOR * first)) / Math.min(small, await cost(work, first));
}

/** Microseconds of the processor: the least of some rounds. */
async function cost(work: (size: number) => unknown, size: number): Promise<number> {
  const costs: number[] = [];
  while (costs.length < ROUNDS) {
    const before = process.cpuUsage();
    await work(size);
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}
