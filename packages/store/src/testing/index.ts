// What do the tests of other rooms use of this one?
export { openTestDatabase, REPOSITORY_MIGRATIONS, type TestDatabase } from './test-database.ts';
export { testServer } from './test-server.ts';
