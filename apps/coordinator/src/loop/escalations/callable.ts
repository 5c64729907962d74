/** Reads people, places and silences for questions: each once for all questions of a transaction, when first needed. */
import type { PersonRow, PlaceRow, SilenceRow, StoreTransaction } from '@drover/store';

export class Callable {
  readonly #tx: StoreTransaction;
  #silences: readonly SilenceRow[] | null = null;
  #people: readonly PersonRow[] | null = null;
  #places: readonly PlaceRow[] | null = null;

  constructor(tx: StoreTransaction) {
    this.#tx = tx;
  }

  /** Lists silences. A silence that ends before the transaction does is still among them; the caller checks its end. */
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
