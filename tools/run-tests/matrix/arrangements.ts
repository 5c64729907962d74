// The servers that Drover may be given, in containers: each version of Postgres, one with a synchronous standby, one behind PgBouncer.
import { PostgreSqlContainer } from '@testcontainers/postgresql';
import type { StartedPostgreSqlContainer } from '@testcontainers/postgresql';
import { GenericContainer, Network, Wait } from 'testcontainers';
import type { StartedNetwork } from 'testcontainers';

/** Environment and tests of one run, with the servers under them. */
export interface Arrangement extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly tests: readonly string[];
}

const NEWEST = 'postgres:18';
const PGBOUNCER = 'edoburu/pgbouncer:v1.24.1-p1';
/** Folders that talk to Postgres; the rest of the tests would only run again. */
const TESTS = ['packages/store', 'apps/coordinator'];
const [USER, PASSWORD] = ['postgres', 'test'];
/** Milliseconds for a server to start, its image not counted. */
const START_MS = 120_000;

export const ARRANGEMENTS: Readonly<Record<string, () => Promise<Arrangement>>> = {
  'postgres-15': () => alone('postgres:15'),
  'postgres-16': () => alone('postgres:16'),
  'postgres-17': () => alone('postgres:17'),
  'postgres-18': () => alone(NEWEST),
  standby: withStandby,
  pgbouncer: behindPgBouncer,
};

async function alone(image: string): Promise<Arrangement> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await postgres(image, ['-c', 'fsync=off']).start());
  return kept(stack, { env: { TEST_DATABASE_URL: urlOf(server) }, tests: TESTS });
}

/** Every commit waits until the standby has it. */
async function withStandby(): Promise<Arrangement> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await openNetwork());
  const replicated = ['-c', 'wal_level=replica', '-c', 'max_wal_senders=5', '-c', 'hot_standby=on'];
  const primary = stack.use(
    await postgres(NEWEST, replicated).withNetwork(network.started).withNetworkAliases('primary').start(),
  );
  await primary.exec(['sh', '-c', 'echo "host replication all all scram-sha-256" >> "$PGDATA/pg_hba.conf"']);
  await run(primary, 'select pg_reload_conf()');
  const copy = `pg_basebackup -h primary -U ${USER} -D /standby -R -X stream -d "application_name=standby" && chmod 700 /standby && exec postgres -D /standby`;
  stack.use(
    await new GenericContainer(NEWEST)
      .withNetwork(network.started)
      .withUser('postgres')
      .withEnvironment({ PGPASSWORD: PASSWORD })
      .withTmpFs({ '/standby': 'rw,uid=999,gid=999,mode=0700' })
      .withEntrypoint(['sh', '-c'])
      .withCommand([copy])
      .withWaitStrategy(Wait.forLogMessage('started streaming WAL'))
      .withStartupTimeout(START_MS)
      .start(),
  );
  await run(primary, "alter system set synchronous_standby_names = '*'");
  await run(primary, 'select pg_reload_conf()');
  return kept(stack, {
    env: { TEST_DATABASE_URL: urlOf(primary) },
    tests: ['packages/store/tests', 'apps/coordinator/tests/due'],
  });
}

/** Runs in transaction mode, as functions want it. */
async function behindPgBouncer(): Promise<Arrangement> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await openNetwork());
  const server = stack.use(
    await postgres(NEWEST, ['-c', 'fsync=off']).withNetwork(network.started).withNetworkAliases('postgres').start(),
  );
  const settings = [
    '[databases]',
    '* = host=postgres port=5432',
    '[pgbouncer]',
    'listen_addr = 0.0.0.0',
    'listen_port = 5432',
    'auth_type = plain',
    'auth_file = /etc/pgbouncer/userlist.txt',
    'pool_mode = transaction',
    'default_pool_size = 5',
    'max_client_conn = 100',
  ];
  const pooler = stack.use(
    await new GenericContainer(PGBOUNCER)
      .withNetwork(network.started)
      .withCopyContentToContainer([
        { content: `${settings.join('\n')}\n`, target: '/etc/pgbouncer/pgbouncer.ini' },
        { content: `"${USER}" "${PASSWORD}"\n`, target: '/etc/pgbouncer/userlist.txt' },
      ])
      .withExposedPorts(5432)
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(START_MS)
      .start(),
  );
  const env = {
    TEST_DATABASE_URL: urlOf(server),
    TEST_POOLER_URL: `postgres://${USER}:${PASSWORD}@${pooler.getHost()}:${pooler.getMappedPort(5432)}`,
  };
  return kept(stack, { env, tests: ['apps/cli/tests/servers/functions.nightly.test.ts'] });
}

function postgres(image: string, settings: readonly string[]): PostgreSqlContainer {
  return new PostgreSqlContainer(image)
    .withDatabase('postgres')
    .withUsername(USER)
    .withPassword(PASSWORD)
    .withCommand(['-c', 'max_connections=200', ...settings])
    .withStartupTimeout(START_MS);
}

async function run(server: StartedPostgreSqlContainer, statement: string): Promise<void> {
  const { exitCode, output } = await server.exec(['psql', '-U', USER, '-c', statement]);
  if (exitCode !== 0) throw new Error(`"${statement}" failed in the container: ${output}`);
}

function urlOf(server: StartedPostgreSqlContainer): string {
  return `postgres://${USER}:${PASSWORD}@${server.getHost()}:${server.getPort()}/postgres`;
}

async function openNetwork(): Promise<AsyncDisposable & { readonly started: StartedNetwork }> {
  const started = await new Network().start();
  return { started, [Symbol.asyncDispose]: async () => void (await started.stop()) };
}

function kept(stack: AsyncDisposableStack, parts: Pick<Arrangement, 'env' | 'tests'>): Arrangement {
  const owned = stack.move();
  return { ...parts, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
