// Tests the watchdog of the server with a server and pauses of the test's own.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SELF } from '../account.ts';
import { eventually, temporaryDirectory } from '../testing/clusters.ts';
import { isAlive } from './postmaster-file.ts';
import { spawnWatched } from './watchdog.ts';

/** A server that ends when it is asked to, as soon as its watchdog pauses. */
const SERVER = `#!${process.execPath}
const { existsSync, writeFileSync } = require('node:fs');
process.on('SIGINT', () => setInterval(() => existsSync('pauses') && process.exit(), 10));
setInterval(() => {}, 1_000_000);
writeFileSync('serves', '');
`;

/** A pause that outlasts the test, and notes its process. */
const SLEEP = '#!/bin/sh\necho $$ >pauses.new\nmv pauses.new pauses\nexec /bin/sleep 60\n';

test('given a server that was asked to end, when it has ended, then its watchdog leaves no pause running', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'postgres'), SERVER, { mode: 0o700 });
  await writeFile(join(directory.path, 'sleep'), SLEEP, { mode: 0o700 });
  const log = 2;
  const { watchdog } = spawnWatched({ binDir: directory.path, pgdata: directory.path, account: SELF }, {}, log);
  const ended = once(watchdog, 'exit');
  await eventually('the server', async () => existsSync(join(directory.path, 'serves')) || undefined);

  watchdog.stdin?.end();
  const [status] = (await ended) as [number | null];

  const pause = Number(await readFile(join(directory.path, 'pauses'), 'utf8'));
  expect(status).toBe(0);
  await eventually('the end of the pause', async () => (isAlive(pause) ? undefined : true));
});
