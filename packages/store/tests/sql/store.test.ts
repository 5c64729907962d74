// Tests that the SQL store does what every store must.
import { describe } from 'vitest';
import { createSqlStore } from '../../src/index.ts';
import type { Database } from '../../src/tables/database.ts';
import { sqlContract, storeContract } from '../../src/testing/contract/contract.ts';
import { isolationContract } from '../../src/testing/contract/isolation.ts';
import { openTestDatabase } from '../../src/testing/index.ts';

const open = async () => {
  const database = await openTestDatabase<Database>();
  const store = createSqlStore(database.db, { sleep: () => Promise.resolve(), random: () => 0 });
  return { store, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
};

describe('the store contract', () => {
  storeContract(open);
  sqlContract(open);
  isolationContract(open);
});
