// Measures what a request costs where the coordinator runs as functions, with a process that is kept (warm) and with one of its own (cold).
//
// npm run bench -- functions [--smoke] [--set rounds=N] [--set cold=N]
import { fork, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { PROTOCOL_VERSION } from '@drover/protocol';
import { bundle } from '../../tools/package/bundle.ts';
import { fillScene } from '../load/scene.ts';
import { databaseUrl, withClient } from '../recovery/fleet.ts';
import type { Benchmark } from '../src/benchmark.ts';
import { openBenchPostgres } from '../src/postgres.ts';
import { median, ms, percentile, table } from '../src/table.ts';

const ONCE = path.resolve(import.meta.dirname, '../../apps/cli/tests/support/functions/once.mjs');
const DROVER = path.resolve(import.meta.dirname, '../../bin/drover');
/** A warm request may take so many times as long as one to a process that lives. */
const AIM = 1.3;
const WARM_UP = 30;

/** Request that is sent as often as wanted. */
interface Asked {
  readonly name: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly token: string | null;
  readonly body: unknown;
}

/** Takes both ways in turns, so that a load that comes and goes falls out. */
export const benchmark: Benchmark = {
  about: `functions: a request to a warm function takes at most ${AIM} times that to a process that lives; a cold one is told`,
  async run({ smoke, settings }) {
    const rounds = Number(settings['rounds'] ?? (smoke ? 20 : 300));
    const coldRounds = Number(settings['cold'] ?? (smoke ? 2 : 15));
    await using stack = new AsyncDisposableStack();
    const { directory, server } = stack.use(await openBenchPostgres());
    const [packed, root] = [path.join(directory, 'packed'), path.join(directory, 'root')];
    await bundle(packed, { sourcemap: false });
    mkdirSync(root);
    for (const args of [
      ['init', '--quiet'],
      [
        '-c',
        'user.name=b',
        '-c',
        'user.email=b@example.com',
        'commit',
        '--quiet',
        '--allow-empty',
        '--message',
        'first',
      ],
    ])
      spawnSync('git', args, { cwd: root });
    writeFileSync(path.join(root, 'drover.toml'), `[repo]\nsource = "${root}"\n`);
    await withClient(server.superuserConnectionString, (client) => client.query('create database functions'));
    const url = databaseUrl(server.superuserConnectionString, 'functions');
    const [machine] = await fillScene(url, { machines: 50, workersEach: 10, oneOf: 10 });
    const env = { ...process.env, DATABASE_URL: url, DROVER_DATA_DIR: path.join(directory, 'data'), DROVER_ROOT: root };
    const asked = requests(machine?.id ?? '', {
      person: migrated(env, root),
      machine: await letIn(url, machine?.id ?? ''),
    });
    const lives = await started(stack, path.resolve(import.meta.dirname, '../load/coordinator.ts'), { env });
    const warm = await started(stack, path.join(import.meta.dirname, 'warm.ts'), {
      env,
      cwd: root,
      args: [path.join(packed, 'functions.js')],
    });
    const agent = new Agent({ keepAlive: true });
    const rows: string[][] = [];
    let isKept = true;
    for (const one of asked) {
      const took = { process: [] as number[], warm: [] as number[], cold: [] as number[] };
      for (let round = -WARM_UP; round < rounds; round += 1) {
        const [first, second] = [await timed(lives, one, agent), await timed(warm, one, agent)];
        if (round < 0) continue;
        took.process.push(first);
        took.warm.push(second);
      }
      for (let round = 0; round < coldRounds; round += 1)
        took.cold.push(await cold(one, { packed, root, env, url: warm }));
      const ratio = median(took.warm) / median(took.process);
      isKept &&= ratio <= AIM;
      rows.push([
        one.name,
        ms(median(took.process)),
        `${ms(median(took.warm))}, p95 ${ms(percentile(took.warm, 0.95))}`,
        ratio.toFixed(2),
        `${ms(median(took.cold))}, most ${ms(Math.max(...took.cold))}`,
      ]);
    }
    agent.destroy();
    console.log(table(['request', 'a process that lives', 'warm function', 'times', 'cold function'], rows));
    const node = Array.from({ length: 5 }, () => nodeStart());
    const load = loadavg().map((one) => one.toFixed(1));
    console.log(
      `Node's own start is ${ms(median(node))} of a cold one. ${cpus().length} processors, load ${load.join(', ')}`,
    );
    return smoke || isKept;
  },
};

function requests(machineId: string, tokens: { readonly person: string; readonly machine: string }): readonly Asked[] {
  const sync = { agentEpoch: AGENT_EPOCH, profilesRevision: 0, acks: [], observations: [] };
  const question = { proto: PROTOCOL_VERSION, machineId, url: 'http://127.0.0.1:1', salt: 'salt' };
  return [
    {
      name: 'a person: GET /v1/workers?limit=50',
      path: '/v1/workers?limit=50',
      method: 'GET',
      token: tokens.person,
      body: null,
    },
    { name: 'a machine: sync without news', path: '/agent/sync', method: 'POST', token: tokens.machine, body: sync },
    { name: 'a machine: challenge', path: '/agent/challenge', method: 'POST', token: null, body: question },
  ];
}

const AGENT_EPOCH = randomUUID();

/** Makes the token of a person; the tables exist already. */
function migrated(env: NodeJS.ProcessEnv, cwd: string): string {
  const { status, stdout, stderr } = spawnSync(DROVER, ['server', 'migrate', '--admin', 'ada', '--json'], {
    cwd,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`"drover server migrate" ended with ${status}: ${stderr}`);
  return (JSON.parse(stdout) as { token: { secret: string } }).token.secret;
}

/** Lets a machine in, as its hello does. @returns the machine's access token. */
async function letIn(url: string, machineId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const sha256 = createHash('sha256').update(token).digest('hex');
  await withClient(url, (client) =>
    client.query(
      `update machines set access_token_sha256 = $2, access_token_expires_at = now() + interval '1 h', agent_epoch = $3 where id = $1`,
      [machineId, sha256, AGENT_EPOCH],
    ),
  );
  return token;
}

interface How {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly args?: readonly string[];
}

/** @returns where it is reached. */
async function started(stack: AsyncDisposableStack, file: string, { env, cwd, args = [] }: How): Promise<string> {
  const child = fork(file, args, { env, ...(cwd !== undefined && { cwd }) });
  stack.defer(() => ended(child));
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`${file} did not start`)));
  const [url] = (await Promise.race([once(child, 'message'), failed])) as [string];
  failed.catch(() => {});
  return url;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
}

/** @returns milliseconds. */
async function timed(url: string, one: Asked, agent: Agent): Promise<number> {
  const begun = performance.now();
  const body = one.body === null ? undefined : JSON.stringify(one.body);
  const asked = httpRequest(`${url}${one.path}`, { method: one.method, agent, headers: headersOf(one, body) });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  const said = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`${one.name}: ${answer.statusCode} ${said}`);
  return performance.now() - begun;
}

function headersOf({ token }: Asked, body: string | undefined): Record<string, string> {
  return {
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
}

/** Measures a request from the start of its process to its end. */
async function cold(
  one: Asked,
  { packed, root, env, url }: { packed: string; root: string; env: NodeJS.ProcessEnv; url: string },
): Promise<number> {
  const body = one.body === null ? undefined : JSON.stringify(one.body);
  const begun = performance.now();
  const child = spawn(process.execPath, [ONCE, path.join(packed, 'functions.js')], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(
    JSON.stringify({
      url: `${url}${one.path}`,
      method: one.method,
      headers: Object.entries(headersOf(one, body)),
      body: Buffer.from(body ?? '').toString('base64'),
    }),
  );
  const said = await text(child.stdout);
  const { status } = JSON.parse(said) as { status: number };
  if (status !== 200) throw new Error(`${one.name}, cold: ${said}`);
  return performance.now() - begun;
}

function nodeStart(): number {
  const begun = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - begun;
}
