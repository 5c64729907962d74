import { expect, test } from 'vitest';
import { programEnvironment } from './program-environment.ts';

test('given secrets of Drover and of its database, when programs inherit, then they get none of them and all the rest', () => {
  const given = {
    DROVER_TOKEN: 't',
    DROVER_WORKER: 'outer',
    DATABASE_URL: 'postgres://u:p@h/d',
    PGPASSWORD: 'p',
    PGPASSFILE: '/f',
    PGSSLKEY: '/k',
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    PGP_KEYSERVER: 'keys.example',
    MY_DATABASE_URL: 'postgres://app',
  };

  expect(programEnvironment(given)).toEqual({
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
    PGP_KEYSERVER: 'keys.example',
    MY_DATABASE_URL: 'postgres://app',
  });
});
