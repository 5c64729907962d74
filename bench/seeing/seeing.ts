// Measures what it costs to look at many moving panes, and how soon each change is seen.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AnimatedPanes } from './animated-panes.ts';
import { ownCpuMs, treeCpuMs } from '../src/cpu.ts';
import { type Figure, percent, spread } from '../src/figures.ts';
import { median } from '../src/table.ts';
import type { Told } from './telling.ts';
import { now, sleep } from '../src/wait.ts';

interface Seen {
  /** Shares of one core: the observer with its children, and what the tmux server does beyond what the panes alone cost it. */
  readonly observerCpu: number;
  readonly tmuxCpu: number;
  /** Captures of a pane each second. */
  readonly readingsPerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly shown: number;
  readonly missed: number;
}

/** Milliseconds between two looks: usually, and while something is awaited, as the machine agent looks. */
const USUAL_EVERY_MS = 500;
const AWAITED_EVERY_MS = 250;
/** Milliseconds until a fresh observer has looked at everything once. */
const SETTLE_MS = 2_000;
/** States shown in the last so many milliseconds of a measurement are left out: they had no time to be seen. */
const LATE_MS = 2_000;
/** Share of a core for 200 panes: a twentieth of what a `capture-pane` process for each took (RESULTS.md). */
const OF_CORE_MAX = 1.26 / 20;
const PANES = 200;

/** Measures the panes unobserved first, then both paces on the same panes, one after the other. */
export async function measureSeeing(panes: AnimatedPanes, { forMs }: { forMs: number }): Promise<readonly Figure[]> {
  const alone = await unwatched(panes, forMs / 4);
  const figures: Figure[] = [];
  const count = panes.panes.length;
  for (const everyMs of [USUAL_EVERY_MS, AWAITED_EVERY_MS]) {
    const seen = await observe(panes, { everyMs, forMs, tmuxAloneCpu: alone.tmuxCpu });
    const wanted = (count * 1_000) / everyMs;
    // A busy machine does not keep the pace: its figure is what the pace would cost at the measured cost of a look.
    const share = wanted / seen.readingsPerSecond;
    const isUsual = everyMs === USUAL_EVERY_MS;
    const own = seen.observerCpu * share;
    const isKept = median(seen.latenciesMs) <= 300;
    figures.push(
      {
        what: `observer CPU, ${count} animated panes, every ${everyMs} ms (tmux ${panes.version})`,
        measured: `${percent(own)}; with tmux ${percent(own + seen.tmuxCpu * share)}`,
        beside: `did ${Math.round(seen.readingsPerSecond)} of ${Math.round(wanted)} looks a second`,
        ...(isUsual && { aim: { is: percent(OF_CORE_MAX), isKept: own <= (OF_CORE_MAX * count) / PANES } }),
      },
      {
        what: '  change on screen → seen',
        measured: spread(seen.latenciesMs),
        ...(isUsual && { aim: { is: 'p50 300 ms', isKept } }),
      },
      {
        what: '  states missed',
        measured: `${seen.missed} of ${seen.shown}`,
        aim: { is: '0', isKept: seen.missed === 0 },
      },
    );
  }
  return [
    ...figures,
    {
      what: '  beside it: the panes alone, tmux server / animator CPU',
      measured: `${percent(alone.tmuxCpu)} / ${percent(alone.animatorCpu)}`,
    },
  ];
}

/** Measures what the panes cost unobserved. */
async function unwatched(panes: AnimatedPanes, forMs: number): Promise<{ tmuxCpu: number; animatorCpu: number }> {
  const spent = (): readonly [number, number] => [ownCpuMs(panes.serverPid), ownCpuMs(panes.animatorPid)];
  await sleep(SETTLE_MS);
  const [tmux, animator] = spent();
  const from = now();
  await sleep(forMs);
  const ms = now() - from;
  const [tmuxAfter, animatorAfter] = spent();
  return { tmuxCpu: (tmuxAfter - tmux) / ms, animatorCpu: (animatorAfter - animator) / ms };
}

async function observe(
  panes: AnimatedPanes,
  { everyMs, forMs, tmuxAloneCpu }: { everyMs: number; forMs: number; tmuxAloneCpu: number },
): Promise<Seen> {
  const seen = new Map<string, number>();
  const observer = fork(join(import.meta.dirname, 'watcher.ts'), [panes.socket, String(everyMs)]);
  const numberOf = new Map(panes.panes.map(({ paneId }, index) => [paneId, index]));
  const counts: Told['readings'][] = [];
  observer.on('message', ({ sightings, readings }: Told) => {
    counts.push(readings);
    for (const one of sightings) {
      if (one.kind === 'state') seen.set(`${numberOf.get(one.pane)} ${one.state}`, one.at);
    }
  });
  await sleep(SETTLE_MS);
  const spent = (): readonly number[] => [treeCpuMs(observer.pid ?? 0), ownCpuMs(panes.serverPid)];
  const before = spent();
  const from = now();
  await sleep(forMs);
  const to = now();
  const [observerCpu = 0, serverCpu = 0] = spent().map((ms, at) => (ms - (before[at] ?? 0)) / (to - from));
  const tmuxCpu = Math.max(0, serverCpu - tmuxAloneCpu);
  const readingsPerSecond = paceOf(counts.filter(({ at }) => at >= from && at < to));
  observer.send('stop');
  await once(observer, 'exit');
  const shown = panes.shown().filter(({ at }) => at >= from && at < to - LATE_MS);
  const latenciesMs = shown.flatMap(({ pane, state, at }) => {
    const seenAt = seen.get(`${pane} ${state}`);
    return seenAt === undefined ? [] : [seenAt - at];
  });
  const missed = shown.length - latenciesMs.length;
  return { observerCpu, tmuxCpu, readingsPerSecond, latenciesMs, shown: shown.length, missed };
}

/** Readings a second between the first count and the last. @returns NaN for fewer than two. */
function paceOf(counts: readonly Told['readings'][]): number {
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.NaN;
  return ((last.count - first.count) * 1_000) / (last.at - first.at);
}
