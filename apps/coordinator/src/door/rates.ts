/** Limits how often the same caller may come: a bucket for each, and a bounded number of buckets. */
import type { Rate } from './limits.ts';

interface Bucket {
  left: number;
  at: number;
}

/** Rest of a key's budget. */
export interface RateLeft {
  readonly limit: number;
  readonly left: number;
  /** Seconds until the budget is full again. */
  readonly wholeInS: number;
}

/** Keeps a bucket for each key. A new key has a full bucket. */
export class Buckets {
  readonly #rate: Rate;
  readonly #max: number;
  readonly #elapsed: () => number;
  /** Buckets by key, the last used one last. */
  readonly #buckets = new Map<string, Bucket>();

  /** @param elapsed Milliseconds that only grow. @param max Keys that are remembered. */
  constructor(rate: Rate, { max, elapsed }: { readonly max: number; readonly elapsed: () => number }) {
    this.#rate = rate;
    this.#max = max;
    this.#elapsed = elapsed;
  }

  /** Keys that are remembered now. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Takes all or none. @returns 0, or the milliseconds until `count` are available. */
  take(key: string, count = 1): number {
    const bucket = this.#bucketOf(key);
    if (bucket.left < count) return Math.ceil(((count - bucket.left) / this.#rate.perSecond) * 1_000);
    bucket.left -= count;
    return 0;
  }

  /** Tells how much a key has left now. */
  leftOf(key: string): RateLeft {
    const { left } = this.#bucketOf(key);
    const { burst, perSecond } = this.#rate;
    return { limit: burst, left: Math.max(0, Math.floor(left)), wholeInS: Math.ceil((burst - left) / perSecond) };
  }

  /** Gives back calls that do not count. */
  giveBack(key: string, count = 1): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.left = Math.min(this.#rate.burst, bucket.left + count);
  }

  #bucketOf(key: string): Bucket {
    const at = this.#elapsed();
    const bucket = this.#buckets.get(key) ?? { left: this.#rate.burst, at };
    const more = ((at - bucket.at) / 1_000) * this.#rate.perSecond;
    bucket.left = Math.min(this.#rate.burst, bucket.left + more);
    bucket.at = at;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > this.#max) this.#forgetOldest();
    return bucket;
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
