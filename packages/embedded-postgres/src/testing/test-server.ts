// Finds the Postgres server that the tests of this run use.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `TEST_DATABASE_URL`, or `undefined` to ask at `testPostgresSocket`. */
    testDatabaseUrl: string | undefined;
    /** The socket that answers every request with the address of the run's own Postgres. */
    testPostgresSocket: string;
  }
}

/**
 * The address of a Postgres whose user is a superuser: `TEST_DATABASE_URL`, else the run's own embedded one,
 * which the first call starts (about a second).
 */
export async function testServer(): Promise<string> {
  const given = inject('testDatabaseUrl');
  if (given !== undefined) return given;
  const socketPath = inject('testPostgresSocket');
  if (socketPath === undefined) {
    throw new Error(
      'No test database: vitest.config.ts must name packages/embedded-postgres/src/testing/global-setup.ts as globalSetup',
    );
  }
  return ask(socketPath);
}

async function ask(socketPath: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // A connection of its own: one that is kept from an earlier file may be closed at the other end at the moment of the next question.
  request({ socketPath, path: '/', agent: false }, (response) => {
    text(response).then((body) => (response.statusCode === 200 ? resolve(body) : reject(new Error(body))), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}
