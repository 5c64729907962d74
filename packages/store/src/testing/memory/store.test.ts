// Tests that the store in memory does what every store must, and fails as it is told.
import { describe } from 'vitest';
import { storeContract } from '../contract/contract.ts';
import { failureContract } from '../contract/failures.ts';
import { isolationContract } from '../contract/isolation.ts';
import { MemoryDatabase } from './engine/database.ts';
import { createMemoryStore } from './store.ts';

const common = { sleep: () => Promise.resolve(), random: () => 0 };

const opened = () => {
  const store = createMemoryStore({ ...common, database: new MemoryDatabase() });
  return Promise.resolve({ store, [Symbol.asyncDispose]: () => Promise.resolve() });
};

describe('the store contract', () => {
  storeContract(opened);
  isolationContract(opened);
});

describe('failures', () => {
  failureContract(() => {
    const database = new MemoryDatabase();
    return Promise.resolve({
      client: (fault = () => null) => createMemoryStore({ ...common, database, fault }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  });
});
