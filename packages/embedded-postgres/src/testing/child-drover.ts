// A Drover that does nothing but hold its database, until it is killed.
import { EmbeddedPostgresError } from '../errors.ts';
import { startEmbeddedPostgres } from '../start.ts';

const dataDir = process.argv[2] ?? '';
const packageDirectory = process.env['CHILD_PACKAGE'];
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const { connectionString, binDir, pid } = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    durability: 'none',
    search: packageDirectory === undefined ? undefined : { packageDirectory, directories: [] },
    stagingDirectory: process.env['CHILD_STAGING'],
  });
  say({ kind: 'started', connectionString, binDir, pid });
} catch (error) {
  const code = error instanceof EmbeddedPostgresError ? error.code : 'unknown';
  say({ kind: 'failed', code, message: String(error) });
}
