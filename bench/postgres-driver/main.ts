// Tests which driver survives a restart of its server in the middle of a transaction. Prints one row per driver.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import { openBenchPostgres } from '../src/postgres.ts';
import { z } from 'zod';
import { type Report, REPORTS } from './report.ts';

/** Result of one round: the driver's own report, or the error that ended its process. */
type Round = Report | { readonly kind: 'process-died'; readonly words: string };

const DRIVERS = [
  { name: 'pg', script: 'with-pg.ts' },
  { name: 'postgres', script: 'with-postgres-js.ts' },
] as const;

await main(Number(parseArgs({ allowPositionals: true }).positionals[0] ?? 5));

async function main(rounds: number): Promise<void> {
  const rows: Record<string, string>[] = [];
  for (const { name, script } of DRIVERS) rows.push(summary(`${name} ${versionOf(name)}`, await play(script, rounds)));
  console.table(rows);
}

/** A new server for each driver: the launcher gives up on one that dies more than five times a minute. */
async function play(script: string, rounds: number): Promise<readonly Round[]> {
  await using postgres = await openBenchPostgres();
  const seen: Round[] = [];
  for (let round = 0; round < Math.min(rounds, 5); round += 1) seen.push(await playRound(script, postgres.server));
  return seen;
}

function versionOf(name: string): string {
  const manifest = findPackageJSON(name, import.meta.url) ?? '';
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

/** Plays one life of a driver's process: a transaction is open, the server dies and is back, then the process is watched. */
async function playRound(script: string, server: EmbeddedPostgres): Promise<Round> {
  const env = { ...process.env, DATABASE_URL: server.connectionString };
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { silent: true, env });
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const reports: Report[] = [];
  const exited = once(child, 'exit');
  child.on('message', (message) => {
    const report = REPORTS.parse(message);
    reports.push(report);
    if (report.kind !== 'transaction-open') return;
    void restart(server).then(() => child.send('restarted'));
  });
  await exited;
  const last = reports.at(-1);
  if (last?.kind === 'recovered' || last?.kind === 'gave-up') return last;
  return { kind: 'process-died', words: /^\w*Error.*$/m.exec(words)?.[0] ?? words.trim().split('\n').at(-1) ?? '' };
}

/** Kills the server without a goodbye and waits until the launcher has started the next one. */
async function restart(server: EmbeddedPostgres): Promise<void> {
  const killed = server.pid;
  process.kill(killed, 'SIGQUIT');
  while (server.pid === killed) await sleep(5);
}

function summary(name: string, seen: readonly Round[]): Record<string, string> {
  const times = seen.flatMap((round) => (round.kind === 'recovered' ? [round.afterMs] : []));
  const died = seen.flatMap((round) => (round.kind === 'process-died' ? [round.words] : []));
  return {
    driver: name,
    recovered: `${times.length} of ${seen.length}`,
    'after ms': times.length === 0 ? '' : `${Math.min(...times)} to ${Math.max(...times)}`,
    'process died': `${died.length} of ${seen.length}`,
    'last words': died[0] ?? '',
  };
}
