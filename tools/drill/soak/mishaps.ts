// Strikes each part, and measures how long it takes until all is well again.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedPostgres } from '@drover/embedded-postgres';
import type { DroverApart } from '../../fleet/drover.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { processesIn, type Found } from '../../fleet/left-overs.ts';
import { now, until } from '../../fleet/wait.ts';
import type { Disk, DiskName } from './disks.ts';

/** Mishaps of a Drover: its processes killed, its network cut, its disks filled. */
export const MISHAPS = [
  'agent',
  'coordinator',
  'database',
  'tmux',
  'program',
  'network',
  'machine-disk',
  'database-disk',
] as const;
export type Mishap = (typeof MISHAPS)[number];

/** Mishaps of processes that live through the calm half, so that their growth can be judged. */
export const OF_LONG_LIVED: ReadonlySet<Mishap> = new Set([
  'agent',
  'coordinator',
  'database',
  'database-disk',
  'tmux',
]);

/** All that can be struck. */
export interface Targets {
  readonly drover: DroverApart;
  readonly database: EmbeddedPostgres;
  readonly disks: Readonly<Record<DiskName, Disk>>;
}

/** A mishap, and the milliseconds from its end (a disk with room, a mended network) until all was well; null: it never was. */
export interface Struck {
  readonly mishap: Mishap;
  readonly wellMs: number | null;
}

type IsWell = () => Promise<boolean>;

/** Milliseconds between two mishaps, and those for which a network is cut or a disk is full. */
const PAUSE_MS = [8_000, 30_000] as const;
const AWAY_MS = [1_000, 20_000] as const;
/** Milliseconds after which a mishap that is not over counts as never over. */
const WELL_MAX_MS = 180_000;

/** Draws mishaps by chance until `ending` fires, also where the previous one is not over. @returns all of them, once all are over. */
export async function unleash(
  targets: Targets,
  possible: () => readonly Mishap[],
  ending: AbortSignal,
): Promise<readonly Struck[]> {
  const healing: Promise<Struck>[] = [];
  while (!ending.aborted) {
    await pause(PAUSE_MS, ending);
    const all = possible();
    const mishap = all[randomInt(Math.max(1, all.length))];
    if (ending.aborted || mishap === undefined) continue;
    const isWell = await strike(targets, mishap, ending);
    if (isWell !== null) healing.push(timeTo(isWell).then((wellMs) => ({ mishap, wellMs })));
  }
  return await Promise.all(healing);
}

function pause(range: readonly [number, number], ending: AbortSignal): Promise<void> {
  return delay(randomInt(...range), undefined, { signal: ending }).catch(() => {});
}

async function timeTo(isWell: IsWell): Promise<number | null> {
  const from = now();
  const ask = (): Promise<boolean> => isWell().catch(() => false);
  return await until('all to be well', ask, WELL_MAX_MS).then(
    () => now() - from,
    () => null,
  );
}

/** Strikes, and waits until the mishap itself is over. @returns null when there was nothing to strike. */
async function strike(targets: Targets, mishap: Mishap, ending: AbortSignal): Promise<IsWell | null> {
  const { drover, database, disks } = targets;
  const { fleet, network, processes } = drover;
  const epoch = Math.max(0, ...(await fleet.machines()).map((machine) => machine.epoch));
  const hasCome: IsWell = async () =>
    (await fleet.machines()).some((machine) => machine.state === 'connected' && machine.epoch > epoch);
  switch (mishap) {
    case 'agent':
    case 'coordinator':
      await processes[mishap].kill();
      return hasCome;
    case 'database':
      process.kill(database.pid, 'SIGKILL');
      return isHeard(fleet);
    case 'tmux':
    case 'program': {
      const agents = await found(drover, /^sim-agent/u);
      const all = mishap === 'tmux' ? await found(drover, /^(?:\S*\/)?tmux[: ]/u) : agents;
      const victim = all[randomInt(Math.max(1, all.length))];
      if (victim === undefined) return null;
      process.kill(victim.pid, 'SIGKILL');
      return worksAgain(drover, mishap === 'tmux' ? agents : [victim]);
    }
    case 'network':
      network.cut();
      await pause(AWAY_MS, ending);
      network.mend();
      return hasCome;
    case 'machine-disk':
    case 'database-disk': {
      const disk = disks[mishap === 'machine-disk' ? 'machine' : 'database'];
      disk.fill();
      await pause(AWAY_MS, ending);
      disk.free();
      return isHeard(fleet);
    }
    default:
      return mishap satisfies never;
  }
}

async function found({ site }: DroverApart, command: RegExp): Promise<readonly Found[]> {
  return (await processesIn([site.dir])).filter((one) => command.test(one.command));
}

/** All is well when an agent works again in each of the places, or its task is over. */
function worksAgain(drover: DroverApart, dead: readonly Found[]): IsWell {
  const gone = new Set(dead.map(({ pid }) => pid));
  return async () => {
    const alive = (await found(drover, /^sim-agent/u)).filter(({ pid }) => !gone.has(pid));
    const back = new Set(alive.map(({ cwd }) => cwd));
    const workers = await drover.fleet.list();
    const isOver = (place: string): boolean =>
      workers.some(({ worktree, status }) => worktree === place && status === 'idle');
    return dead.every(({ cwd }) => back.has(cwd) || isOver(cwd));
  };
}

/** The machine was heard of after now: what it said was stored, so the database and all on the way to it work. */
function isHeard(fleet: Fleet): IsWell {
  const since = Date.now();
  return async () =>
    (await fleet.machines()).some(({ state, lastSeenAt }) => state === 'connected' && (lastSeenAt ?? 0) > since);
}
