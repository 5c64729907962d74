// Exports of this room for tests of other rooms.
export { Client } from 'pg';
export { openTestDatabase, REPOSITORY_MIGRATIONS, type TestDatabase } from './test-database.ts';
export { SqlServer, SqlWorld } from './sql/world.ts';
export { type CommandRecord, type EventRecord, MemoryDatabase } from './memory/engine/database.ts';
export type { ClientOptions, Fault, FaultPoint, SessionOptions } from './memory/engine/session.ts';
export { changedMethods } from './changed-methods.ts';
export { createMemoryStore, type StoreClient } from './memory/store.ts';
export { workerOptions } from './worker-options.ts';
export {
  checkpoint,
  error,
  escalation,
  queueItem,
  runRow,
  webhookDelivery,
  webhookEndpoint,
} from './contract/row-seeds.ts';
export { sayHello } from './contract/seeds.ts';
