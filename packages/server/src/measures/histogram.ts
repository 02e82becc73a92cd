/** Counts of values by upper bounds, as Prometheus keeps them. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  /** @param bounds the upper bounds, ascending, without that of infinity. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound);
    if (at !== -1) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += value;
    this.#count += 1;
  }

  /** The samples of one histogram: a bucket for each bound with all below it, the sum and the count. */
  samples(labels: SampleLabels): Sample[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, at) => {
      below += this.#counts[at] ?? 0;
      return { suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: below };
    });
    return [
      ...buckets,
      { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: this.#count },
      { suffix: "_sum", labels, value: this.#sum },
      { suffix: "_count", labels, value: this.#count },
    ];
  }
}

/** The labels of a sample: names and values that need no escape, since they come from tables. */
export type SampleLabels = Readonly<Record<string, string>>;

/** One line of a metric. */
export interface Sample {
  /** The end of the name. Default: none. */
  readonly suffix?: string;
  readonly labels: SampleLabels;
  readonly value: number;
}
