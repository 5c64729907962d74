/** `drover down`: closes sessions and stops `drover up`. */
import type { WorkerView } from '@drover/api';
import { ask } from '../../client/client.ts';
import { readEndpoint, removeEndpoint } from '../../client/endpoint.ts';
import { CommandError } from '../../exit-codes.ts';
import { answer } from '../../program/answer.ts';
import { defineCommand } from '../../program/define.ts';
import { flag } from '../../program/spec.ts';
import { isDrover, isRunning } from '../../processes/processes.ts';
import { needRoot } from '../../surroundings.ts';
import type { Surroundings } from '../../surroundings.ts';
import { endTmux } from '../../processes/tmux-servers.ts';
import { readUp } from '../../processes/up-file.ts';
import { listWorkers } from '../worker/by-name.ts';

/** Milliseconds to wait for the next session to close, and for the process to end. A process ends within 20 s. */
const PATIENCE_MS = 30_000;
const CHECK_EVERY_MS = 50;

/** Exits with `unreachable` when nothing is up. */
export const command = defineCommand({
  about: 'close all sessions and stop Drover',
  more: 'Work stays: the next "drover up" finds it.',
  example: 'drover down\ndrover down --keep-sessions',
  options: {
    keepSessions: flag('only stop "drover up"; agents keep working, and the next "drover up" finds them'),
    force: flag('do not wait: stop the process and the tmux server of this root'),
  },
  async run(surroundings, { options: { keepSessions, force: forced } }) {
    if (forced && keepSessions)
      throw new CommandError(
        'usage',
        '--force closes the sessions and --keep-sessions keeps them: give one of the two',
      );
    await (forced ? force(surroundings) : stop(surroundings, keepSessions));
    const sessions = keepSessions ? 'agents keep working in their sessions' : 'its sessions are closed';
    answer(surroundings, { down: true, forced }, () => `Drover is down; ${sessions}.`);
  },
});

async function stop(surroundings: Surroundings, keepsSessions: boolean): Promise<void> {
  const { dataDir, root, runtimeDir } = needRoot(surroundings);
  const endpoint = await readEndpoint(dataDir);
  if (endpoint === null || !isRunning(endpoint.pid)) {
    const starting = await readUp(dataDir);
    if (starting !== null) {
      const message = `Drover is starting or stopping (process ${starting}): try again in a moment, or "drover down --force"`;
      throw new CommandError('refused', message);
    }
    const message = `Drover is not up for ${root}. If sessions of an earlier run are left, "drover up" finds them again and "drover down --force" closes them`;
    throw new CommandError('unreachable', message);
  }
  if (!keepsSessions) await closeSessions(surroundings);
  await ask(surroundings, (client) => client.fleet.stop.mutate());
  await untilGone(surroundings, endpoint.pid);
  if (!keepsSessions) await endTmux({ runtimeDir, environment: surroundings.environment }, 'empty');
}

/** Closes all sessions. @throws {CommandError} `refused` if none has closed for a while. */
export async function closeSessions(surroundings: Surroundings): Promise<void> {
  await ask(surroundings, (client) => client.fleet.down.mutate({ requestId: surroundings.uuid() }));
  let end = surroundings.now() + PATIENCE_MS;
  let fewest = Number.POSITIVE_INFINITY;
  for (;;) {
    const open = (await listWorkers(surroundings)).filter(isOpen);
    if (open.length === 0) return;
    // Many sessions on a busy machine together take longer than the limit of one.
    if (open.length < fewest) end = surroundings.now() + PATIENCE_MS;
    fewest = Math.min(fewest, open.length);
    if (surroundings.now() > end) {
      const names = open.map(({ name, note }) => `${name} (${note})`).join(', ');
      throw new CommandError(
        'refused',
        `Sessions are still open: ${names}. Repeat the command, or run "drover down --force"`,
      );
    }
    await surroundings.sleep(CHECK_EVERY_MS);
  }
}

/** Tells whether a worker has an open session: a starting worker is offline, but has a program. A disconnected machine closes nothing. */
function isOpen({ status, mayHaveSession, machineState }: WorkerView): boolean {
  return status !== 'offline' || (mayHaveSession && machineState === 'connected');
}

/** Stops everything without a coordinator that answers: by the process and by the tmux servers of this root. */
async function force(surroundings: Surroundings): Promise<void> {
  const { dataDir, runtimeDir } = needRoot(surroundings);
  const endpoint = await readEndpoint(dataDir);
  // A starting or stopping process has no endpoint. Process ids are reused: another program that has the id now is left alone.
  const known = [endpoint?.pid, (await readUp(dataDir)) ?? undefined].filter((pid) => pid !== undefined);
  for (const pid of new Set(known)) {
    if (!isDrover(pid)) continue;
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGCONT'); // a suspended process acts on no other signal
    await untilGone(surroundings, pid);
  }
  await endTmux({ runtimeDir, environment: surroundings.environment }, 'all');
  if (endpoint !== null) await removeEndpoint(dataDir, endpoint.pid);
}

async function untilGone(surroundings: Surroundings, pid: number): Promise<void> {
  const end = surroundings.now() + PATIENCE_MS;
  while (isRunning(pid)) {
    if (surroundings.now() > end)
      throw new CommandError(
        'refused',
        `The process ${pid} does not end: run "kill -9 ${pid}", then "drover down --force"`,
      );
    await surroundings.sleep(CHECK_EVERY_MS);
  }
}
