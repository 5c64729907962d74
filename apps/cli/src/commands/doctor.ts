/** `drover doctor`: is everything here that Drover needs, and does the fleet look well? */
import { access, constants, statfs } from 'node:fs/promises';
import { formatProblem, loadConfig } from '@drover/config';
import { examineMachine, examineSource } from '@drover/machine-agent';
import type { Finding } from '@drover/machine-agent';
import { ask } from '../client.ts';
import { readEndpoint } from '../endpoint.ts';
import { CommandError } from '../exit-codes.ts';
import { paint, plain } from '../output/style.ts';
import { clockTime } from '../output/workers.ts';
import type { Surroundings } from '../surroundings.ts';
import { explain } from '../world-errors.ts';

/** Less free space than this is told, in bytes. */
const FREE_BYTES_MIN = 1024 ** 3;

/** Runs the command. @throws {CommandError} */
export async function run(surroundings: Surroundings): Promise<void> {
  const { terminal, environment } = surroundings;
  const findings = [
    ...(await examineMachine(environment.variables)),
    ...(await examined('root', () => examineRoot(surroundings))),
    ...(await examined('coordinator', () => examineFleet(surroundings))),
  ];
  const sick = findings.filter(({ ok }) => !ok);
  if (terminal.json) terminal.out(JSON.stringify({ ok: sick.length === 0, findings }));
  else
    for (const { what, ok, says } of findings)
      terminal.out(`${paint(ok ? 'ok  ' : 'BAD ', ok ? 'green' : 'red', terminal.colours)} ${what}: ${says}`);
  if (sick.length > 0)
    throw new CommandError('problems', `${sick.length} of ${findings.length} checks found a problem`);
}

/** What cannot even be looked at is a finding too. */
async function examined(what: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ what, ok: false, says: explain(error).message }];
  }
}

async function examineRoot(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { paths, rootProblem, environment } = surroundings;
  if (paths === null) return [{ what: 'root', ok: false, says: rootProblem }];
  const outcome = await loadConfig({ root: paths.root, environment });
  if (outcome.kind === 'invalid')
    return [{ what: 'drover.toml', ok: false, says: outcome.problems.map(formatProblem).join('; ') }];
  const { source, default_branch: branch } = outcome.config.repo;
  const check = await examineSource(environment.variables, source, branch);
  return [
    { what: 'drover.toml', ok: true, says: `${paths.root}/drover.toml` },
    {
      what: 'source',
      ok: check.kind === 'ok',
      says: check.kind === 'ok' ? `${check.root}, branch ${check.defaultBranch}` : check.message,
    },
    await examineData(paths.dataDir),
  ];
}

async function examineData(dataDir: string): Promise<Finding> {
  const what = 'data directory';
  try {
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const says = `${dataDir}, ${(free / 1024 ** 3).toFixed(1)} GiB free`;
    return free < FREE_BYTES_MIN ? { what, ok: false, says: `${says}: make room` } : { what, ok: true, says };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { what, ok: true, says: `${dataDir} will be made by "drover up"` };
    return {
      what,
      ok: false,
      says: `${dataDir} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function examineFleet(surroundings: Surroundings): Promise<readonly Finding[]> {
  const { paths, environment } = surroundings;
  if (environment.url === undefined && (paths === null || (await readEndpoint(paths.dataDir)) === null))
    return [{ what: 'coordinator', ok: true, says: 'not up; "drover up" starts it' }];
  const [info, machines, workers] = await ask(surroundings, (client) =>
    Promise.all([client.info.query(), client.machines.list.query(), client.workers.list.query()]),
  );
  return [
    { what: 'coordinator', ok: true, says: `up since ${clockTime(info.startedAt)}, version ${info.version}` },
    ...machines.map(({ name, state }) => ({ what: `machine ${name}`, ok: state === 'connected', says: state })),
    ...workers.map(({ name, status, note }) => ({
      what: `worker ${name}`,
      ok: status !== 'error',
      says: status === 'error' ? `${plain(note)}: see "drover why ${name}"` : status,
    })),
  ];
}
