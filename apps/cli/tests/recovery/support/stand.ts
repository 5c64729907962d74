/** A Drover for one file of scenarios: a coordinator, a database and a machine agent, with short times in the policy. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTRPCClient, httpLink } from '@trpc/client';
import type { TRPCClient } from '@trpc/client';
import type { AppRouter, WorkerView } from '@drover/api';
import { openTestDatabase } from '@drover/store/testing';
import { Network } from '@drover/testkit/network';
import { DroverProcess } from '../../../../../tools/fleet/process.ts';
import { freePort } from '../../../../../tools/fleet/place.ts';
import { Site } from '../../../../../tools/fleet/site.ts';
import { until } from '../../../../../tools/fleet/wait.ts';
import type { OwnProfile, OwnWorker } from './own-worker.ts';
import { together } from './together.ts';

const SIM_AGENT = fileURLToPath(new URL('../../../../sim-agent/src/main.ts', import.meta.url));
const TOKEN = 'recovery-test-token-of-more-than-twenty-characters';

/** The policy with short times: seconds in place of minutes. The counts are the real ones. */
const POLICY = `
[policy]
checkEveryMs = 1_500
settleMs = 300
[policy.incident]
cooldownMs = 300
calmMs = 10_000
[policy.crash]
restartAfterMs = 300
limitWaitMs = 2_000
[policy.agentError]
patienceMs = 3_000
# Longer than the hook of a failed turn counts beside a screen that has changed since (1.5 s, machine-agent/src/signals/hearing.ts).
backoff = { firstDelayMs = 2_000, capMs = 3_000, factor = 2, jitter = 0.2 }
[policy.limit]
waitMs = 2_000
waitMaxMs = 4_000
[policy.refused]
waitMs = 400
[policy.command.retry]
waitMs = 300
[policy.account]
unknownReset = { firstDelayMs = 2_000, capMs = 8_000, factor = 2, jitter = 0.2 }
spreadMs = 200
staggerMs = 200
[[policy.lostInput]]
waitMs = 300
method = "typed"
settleMs = 200
respawn = false
[[policy.lostInput]]
waitMs = 600
method = "buffer"
settleMs = 0
respawn = false
[[policy.lostInput]]
waitMs = 900
method = "profile"
settleMs = 0
respawn = true
`;

/** Parts for playing scenarios. */
export interface Stand extends AsyncDisposable {
  readonly site: Site;
  readonly api: TRPCClient<AppRouter>;
  readonly coordinator: DroverProcess;
  readonly agent: DroverProcess;
  /** The machine's connection to the coordinator. */
  readonly network: Network;
  /** Lists workers, in one query for all scenarios that want it now. */
  workers(): Promise<readonly WorkerView[]>;
  /** Queries the database itself: for states that only time would cause, and for facts that nobody is told. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Starts a stand. @param extra Lines of this stand in `[defaults]`, `[queue]`, `[repo]` or `[coordinator]` of drover.toml. */
export async function openStand(scenarios: readonly OwnWorker[], extra = ''): Promise<Stand> {
  await using stack = new AsyncDisposableStack();
  const { connectionString, pool } = stack.use(await openTestDatabase());
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const site = stack.use(new Site({ DATABASE_URL: connectionString, DROVER_TOKEN: TOKEN, DROVER_URL: url }));
  writeFileSync(join(site.root, 'drover.toml'), configOf(site, scenarios, extra));
  const api = clientOf(url);
  const coordinator = stack.use(new DroverProcess(site.place, ['server', 'coordinator', '--port', String(port)]));
  coordinator.start();
  await coordinator.ready();
  const { token } = await api.machines.invite.mutate({ ttlMs: 600_000 });
  const network = stack.use(await Network.to(port));
  const agent = stack.use(new DroverProcess(site.place, ['server', 'agent', '--url', network.url, '--join', token]));
  agent.start();
  await agent.ready();
  await until('the machine to connect', async () => {
    const machines = await api.machines.list.query();
    return machines.some(({ state }) => state === 'connected') || undefined;
  });
  const owned = stack.move();
  return {
    site,
    api,
    coordinator,
    agent,
    network,
    workers: together(() => api.workers.list.query()),
    sql: async (text, values = []) => (await pool.query<Record<string, unknown>>(text, [...values])).rows,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function configOf({ dir, source }: Site, scenarios: readonly OwnWorker[], extra: string): string {
  const args = ['--log', join(dir, 'witness.jsonl'), '--start-swallow-ms', '0'];
  const profiles = scenarios.flatMap(({ worker, profile }) => (profile === undefined ? [] : [{ worker, profile }]));
  const workers = scenarios.flatMap((scenario) =>
    [scenario.worker, ...(scenario.others ?? [])].flatMap((name) => workerTable(name, scenario)),
  );
  const repo = { source: JSON.stringify(source), default_branch: '"main"' };
  return [
    table('defaults', { profile: '"sim"', session_width: '200', skip_permissions: 'false' }, extra),
    table('queue', { take: 'false' }, extra),
    table('repo', repo, extra),
    table('coordinator', {}, extra),
    `[profiles.sim]\nargs = ${JSON.stringify(args)}`,
    ...profiles.map(({ worker, profile }) => ownProfile(worker, profile, { dir, args })),
    // The same program under another profile, which may stand in for the first.
    `[profiles.claude]\nprogram = ${JSON.stringify([process.execPath, SIM_AGENT])}\nargs = ${JSON.stringify(args)}`,
    POLICY,
    ...workers,
    '',
  ].join('\n');
}

/** Makes a table of the project: common lines of all stands, and lines of this one that replace or extend them. */
function table(name: string, common: Readonly<Record<string, string>>, extra: string): string {
  const [, after = ''] = extra.split(`[${name}]\n`);
  const own = after.split(/^\[/mu)[0]?.trimEnd() ?? '';
  const kept = Object.entries(common).filter(([key]) => !new RegExp(`^${key} =`, 'mu').test(own));
  return [`[${name}]`, ...kept.map(([key, value]) => `${key} = ${value}`), own].join('\n');
}

function workerTable(name: string, { worker, policy, settings, profile }: OwnWorker): readonly string[] {
  return [
    // Nobody takes over a task of another worker unless a scenario plays that.
    `[workers.${name}]\n${settings ?? 'excluded_from_pool = true'}`,
    ...(profile === undefined ? [] : [`profile = "sim-${worker}"`]),
    ...(policy === undefined ? [] : [policy.replaceAll(/^(\[\[?)policy/gmu, `$1workers.${name}.policy`)]),
  ];
}

function ownProfile(
  worker: string,
  { args = [], program }: OwnProfile,
  common: { readonly dir: string; readonly args: readonly string[] },
): string {
  const started = program === undefined ? [] : [`program = ${JSON.stringify([program.replace('{dir}', common.dir)])}`];
  const given = `args = ${JSON.stringify([...common.args, ...args])}`;
  return [`[profiles.sim-${worker}]`, ...started, given].join('\n');
}

/** Milliseconds for one call. */
const CALL_MS = 15_000;

function clientOf(url: string): TRPCClient<AppRouter> {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers: { authorization: `Bearer ${TOKEN}` },
        fetch: (input, init) =>
          patiently(() => fetch(input, { ...init, signal: AbortSignal.timeout(CALL_MS) } as RequestInit)),
      }),
    ],
  });
}

/** Milliseconds until a killed coordinator must answer again on a loaded machine. */
const PATIENCE_MS = 60_000;

/** Retries a coordinator that is being killed: requests have ids, so that a repeated request acts once. */
async function patiently(call: () => Promise<Response>): Promise<Response> {
  const ask = (): Promise<Response | undefined> => call().catch((): undefined => undefined);
  return until(() => 'an answer of the coordinator', ask, PATIENCE_MS);
}
