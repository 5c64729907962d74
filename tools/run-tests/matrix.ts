// Does the store work on every version of Postgres that we support? `npm run test:matrix [VERSION…]`.
// Needs a Docker engine; where none answers it says so and succeeds, because `npm test` has covered the embedded version.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Major versions that the Postgres project still mends in 2026, 18 being the one that Drover embeds. */
const VERSIONS = ['14', '15', '16', '17', '18'];

/** Seconds that a fresh server may take until it answers; an image that is already pulled needs about three. */
const READY_WITHIN_S = 60;

/** What talks to Postgres; the rest of the tests would only run again. */
const TESTS = ['packages/store', 'apps/coordinator'];

const wanted = process.argv.slice(2);
const outcomes: { version: string; passed: boolean }[] = [];

if (await dockerAnswers()) {
  for (const version of wanted.length > 0 ? wanted : VERSIONS) {
    outcomes.push({ version, passed: await testOn(version) });
  }
  for (const { version, passed } of outcomes) console.log(`Postgres ${version}: ${passed ? 'passed' : 'FAILED'}`);
  const failed = outcomes.filter(({ passed }) => !passed).length;
  console.log(`${outcomes.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  console.log('test:matrix: no Docker engine answers (`docker version`), so no other Postgres was tested.');
}

async function dockerAnswers(): Promise<boolean> {
  return run('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 15_000 }).then(
    () => true,
    () => false,
  );
}

async function testOn(version: string): Promise<boolean> {
  console.log(`\n=== Postgres ${version}`);
  await using server = await startServer(version);
  return vitest({ ...process.env, TEST_DATABASE_URL: server.url });
}

/** Starts a throw-away server whose data lie in memory; disposing it removes the container. */
async function startServer(version: string): Promise<AsyncDisposable & { url: string }> {
  const image = `postgres:${version}`;
  const memory = version === '18' ? '/var/lib/postgresql' : '/var/lib/postgresql/data';
  await docker('pull', '--quiet', image);
  const options = [
    '--detach',
    '--rm',
    '--publish',
    '127.0.0.1::5432',
    '--tmpfs',
    memory,
    '--env',
    'POSTGRES_PASSWORD=test',
  ];
  const container = await docker('run', ...options, image, '-c', 'fsync=off', '-c', 'max_connections=200');
  const server = {
    url: '',
    [Symbol.asyncDispose]: async () => {
      await docker('rm', '--force', '--volumes', container);
    },
  };
  try {
    await docker('exec', container, 'timeout', String(READY_WITHIN_S), 'sh', '-c', UNTIL_READY);
    const [address = ''] = (await docker('port', container, '5432/tcp')).split('\n');
    return { ...server, url: `postgres://postgres:test@${address}/postgres` };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** During its first start the image runs a server on its socket only: asking over TCP waits for the real one. */
const UNTIL_READY = 'until pg_isready --quiet --host 127.0.0.1 --username postgres; do sleep 0.2; done';

async function docker(...words: string[]): Promise<string> {
  const { stdout } = await run('docker', words, { timeout: 600_000 });
  return stdout.trim();
}

async function vitest(env: NodeJS.ProcessEnv): Promise<boolean> {
  const child = spawn('vitest', ['run', '--passWithNoTests', ...TESTS], { env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
