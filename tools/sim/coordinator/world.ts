// Opens the store of a schedule's state: in memory, or in a real Postgres.
import { createMemoryStore, MemoryDatabase, SqlServer, SqlWorld } from '@drover/store/testing';
import { SeededRandom } from '@drover/testkit';
import type { VirtualTime } from '@drover/testkit';
import type { ReplicaParts } from './replica.ts';
import type { Tally } from '../runs/tally.ts';

/** The database of one schedule. */
export interface World extends AsyncDisposable {
  /** Committed state. */
  readonly database: MemoryDatabase;
  readonly open: ReplicaParts['open'];
  /** Resolves when nothing goes on without time going on; absent when that is so as soon as no promise is left. */
  readonly rest?: () => Promise<void>;
  /** Disturbs the database, or what depends on it. */
  disturb(parts: { readonly seed: number; readonly time: VirtualTime; readonly tally: Tally }): void;
}

/** Opens one. `now` is what its clock says, epoch milliseconds. */
export type OpenWorld = (now: () => number) => Promise<World>;

/** Tables in memory: fast, and the same in every run. */
export const memoryWorld: OpenWorld = (now) => {
  const database = new MemoryDatabase(now);
  return Promise.resolve({
    database,
    open: (client) => createMemoryStore({ ...client, database }),
    disturb: ({ tally }) => {
      database.onDeadlock = (wanted) => tally.fault('store-deadlock-met', wanted);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
};

/** The server is restarted in every so many schedules. */
const RESTARTED_EVERY = 10;

/** Databases of one real Postgres, which is started by the first of them. */
export class SqlWorlds implements AsyncDisposable {
  #server: Promise<SqlServer> | null = null;

  readonly open: OpenWorld = async (now) => {
    this.#server ??= SqlServer.start();
    const world = await SqlWorld.open(await this.#server, now);
    return {
      database: world.database,
      open: world.open,
      rest: world.rest,
      disturb: ({ seed, time, tally }) => {
        if (seed % RESTARTED_EVERY !== 3) return;
        const random = new SeededRandom(seed);
        time.after(random.int(5_000, 30_000), () => {
          const ms = random.int(100, 8_000);
          tally.fault('database-restart', `${ms} ms`);
          world.down();
          time.after(ms, () => world.up());
        });
      },
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.#server?.catch(() => null);
    this.#server = null;
    await server?.[Symbol.asyncDispose]();
  }
}
