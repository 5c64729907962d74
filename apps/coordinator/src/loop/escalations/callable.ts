/** People and places that may be called about questions, and silences: each is read once for all questions of a transaction, when it is needed first. */
import type { PersonRow, PlaceRow, SilenceRow, StoreTransaction } from '@drover/store';

/** See the head of the file. */
export class Callable {
  readonly #tx: StoreTransaction;
  #silences: readonly SilenceRow[] | null = null;
  #people: readonly PersonRow[] | null = null;
  #places: readonly PlaceRow[] | null = null;

  constructor(tx: StoreTransaction) {
    this.#tx = tx;
  }

  /** A silence that ends before the transaction does is among them still; the caller looks at its end. */
  async silences(now: number): Promise<readonly SilenceRow[]> {
    return (this.#silences ??= await this.#tx.listSilences(now));
  }

  async people(): Promise<readonly PersonRow[]> {
    return (this.#people ??= await this.#tx.listPeople());
  }

  async places(): Promise<readonly PlaceRow[]> {
    return (this.#places ??= await this.#tx.listPlaces());
  }

  async addPlace(place: PlaceRow): Promise<void> {
    await this.#tx.savePlace(place);
    this.#places = null;
  }
}
