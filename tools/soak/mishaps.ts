// Strikes each part, and tells when all is well again after it.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Network } from '@drover/testkit/network';
import type { Api } from './api.ts';
import type { Disk } from './disks.ts';
import { killOne, placeOf, processesOf, type Part } from './parts.ts';
import type { Place } from './place.ts';

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

/** All that can be struck. */
export interface Targets {
  readonly place: Place;
  readonly api: Api;
  readonly agent: Part;
  readonly coordinator: Part;
  readonly database: { readonly pid: number };
  readonly network: Network;
}

/** Tells whether everything that a mishap hit is back. */
export type IsWell = () => Promise<boolean>;

/** Milliseconds that a network is cut or a disk is full. */
const AWAY_MS = [1_000, 20_000] as const;

/**
 * Strikes, waits until the mishap is over (a disk has room again, a network is mended), and tells how its end is seen.
 *
 * @returns null when there was nothing to strike.
 */
export async function strike(targets: Targets, mishap: Mishap, ending: AbortSignal): Promise<IsWell | null> {
  const { place, api, agent, coordinator, database, network } = targets;
  const away = (): Promise<void> => delay(randomInt(...AWAY_MS), undefined, { signal: ending }).catch(() => {});
  const epoch = await epochOf(api);
  const hasCome = hasComeBack(api, epoch);
  switch (mishap) {
    case 'agent':
      agent.kill();
      return hasCome;
    case 'coordinator':
      coordinator.kill();
      return hasCome;
    case 'database':
      killOne(database.pid);
      return isHeard(api);
    case 'tmux':
      return killed(targets, processesOf(place, 'tmux').slice(0, 1), processesOf(place, 'sim-agent'));
    case 'program': {
      const found = processesOf(place, 'sim-agent');
      const one = found.slice(randomInt(Math.max(1, found.length))).slice(0, 1);
      return killed(targets, one, one);
    }
    case 'network':
      network.cut();
      await away();
      network.mend();
      return hasCome;
    case 'machine-disk':
      return filled(place.disks.machine, away, api);
    case 'database-disk':
      return filled(place.disks.database, away, api);
    default:
      return mishap satisfies never;
  }
}

/** Kills them. All is well when an agent works again in each of the places, or its task is over. */
function killed(
  { place, api }: Targets,
  victims: readonly { readonly pid: number }[],
  agents: readonly { readonly pid: number }[],
): IsWell | null {
  if (victims.length === 0) return null;
  const places = agents.flatMap(({ pid }) => placeOf(pid) ?? []);
  const dead = new Set(agents.map(({ pid }) => pid));
  for (const { pid } of victims) killOne(pid);
  return async () => {
    const alive = processesOf(place, 'sim-agent').filter(({ pid }) => !dead.has(pid));
    const back = new Set(alive.map(({ pid }) => placeOf(pid)));
    const workers = await api.workersOnce();
    const isOver = (worktree: string): boolean =>
      workers.some((worker) => worker.worktree === worktree && worker.status === 'idle');
    return places.every((worktree) => back.has(worktree) || isOver(worktree));
  };
}

async function filled(disk: Disk, away: () => Promise<void>, api: Api): Promise<IsWell> {
  disk.fill();
  try {
    await away();
  } finally {
    disk.free();
  }
  return isHeard(api);
}

/** The machine was heard of after now: what it said was stored, so the database and all on the way to it work. */
function isHeard(api: Api): IsWell {
  const since = Date.now();
  return async () => (await api.machinesOnce()).some((it) => it.state === 'connected' && (it.lastSeenAt ?? 0) > since);
}

/** The machine has said hello again. */
function hasComeBack(api: Api, epoch: number): IsWell {
  return async () => (await api.machinesOnce()).some((it) => it.state === 'connected' && it.epoch > epoch);
}

async function epochOf(api: Api): Promise<number> {
  const machines = await api.machinesOnce().catch(() => []);
  return Math.max(0, ...machines.map(({ epoch }) => epoch));
}
