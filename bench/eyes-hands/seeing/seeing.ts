// Measures what it costs to look at many moving panes, and how soon each change is seen.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AnimatedPanes } from './animated-panes.ts';
import { ownCpuMs, treeCpu } from '../cpu.ts';
import { type Figure, median, percent, spread } from '../figures.ts';
import type { Told } from './telling.ts';
import { now, sleep } from '../wait.ts';

interface Seen {
  /** Shares of one core: the observer with its children, and what the tmux server does beyond what the panes alone cost it. */
  readonly observerCpu: number;
  /** Processor time that the kernel spent of it. */
  readonly systemCpu: number;
  readonly tmuxCpu: number;
  /** Captures of a pane each second. */
  readonly readingsPerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly shown: number;
  readonly missed: number;
}

/** Milliseconds between two looks: as the peer method promises, and as the machine agent does while something is awaited. */
const PEER_EVERY_MS = 500;
const AWAITED_EVERY_MS = 250;
/** Milliseconds until a fresh observer has looked at everything once. */
const SETTLE_MS = 2_000;
/** States shown in the last so many milliseconds of a measurement are left out: they had no time to be seen. */
const LATE_MS = 2_000;

/** Measures the panes unobserved first, then both methods on the same panes, one after the other. */
export async function measureSeeing(panes: AnimatedPanes, { forMs }: { forMs: number }): Promise<readonly Figure[]> {
  const alone = await unwatched(panes, forMs / 4);
  const readers = readersOf(panes, { forMs, tmuxAloneCpu: alone.tmuxCpu });
  const ours = await readers.ours(PEER_EVERY_MS);
  const eager = await readers.ours(AWAITED_EVERY_MS);
  const peer = await readers.peer();
  const own4 = atPace(eager, (panes.panes.length * 1_000) / AWAITED_EVERY_MS);
  return [
    ...costs(panes, ours, peer),
    {
      what: '  change on screen → seen',
      drover: spread(ours.latenciesMs),
      peer: spread(peer.latenciesMs),
      aim: 'p50 300 ms',
      met: median(ours.latenciesMs) <= 300,
    },
    {
      what: '  states missed',
      drover: `${ours.missed + eager.missed} of ${ours.shown + eager.shown}`,
      peer: `${peer.missed} of ${peer.shown}`,
      aim: '0',
      met: ours.missed + eager.missed === 0,
    },
    {
      what: `  while something is awaited, every ${AWAITED_EVERY_MS} ms: observer, with tmux; change → seen`,
      drover: `${percent(own4.observerCpu)}, ${percent(own4.wholeCpu)} (${own4.done}); ${spread(eager.latenciesMs)}`,
      peer: '',
      aim: '',
      met: null,
    },
    {
      what: '  beside it: the panes alone, tmux server / animator CPU',
      drover: `${percent(alone.tmuxCpu)} / ${percent(alone.animatorCpu)}`,
      peer: '',
      aim: '',
      met: null,
    },
  ];
}

/** The processor time of both with so few panes that the peer can keep its pace. */
export async function measureSeeingFew(panes: AnimatedPanes, { forMs }: { forMs: number }): Promise<readonly Figure[]> {
  const alone = await unwatched(panes, forMs / 4);
  const readers = readersOf(panes, { forMs, tmuxAloneCpu: alone.tmuxCpu });
  const rows = costs(panes, await readers.ours(PEER_EVERY_MS), await readers.peer());
  return rows.map((row) => ({ ...row, aim: '', met: null })); // what is promised is promised for many panes
}

function readersOf(
  panes: AnimatedPanes,
  more: { forMs: number; tmuxAloneCpu: number },
): { ours: (everyMs: number) => Promise<Seen>; peer: () => Promise<Seen> } {
  const ids = panes.panes.map(({ paneId }) => paneId);
  return {
    ours: (everyMs) => observe(panes, { program: 'watcher.ts', args: [String(everyMs)], ...more }),
    peer: () => observe(panes, { program: 'process-per-pane.ts', args: ids, ...more }),
  };
}

/** Computes the cost for the pace that both methods promise, because neither keeps its pace on a busy machine. */
function costs({ panes, version }: AnimatedPanes, ours: Seen, peer: Seen): readonly Figure[] {
  const pace = (panes.length * 1_000) / PEER_EVERY_MS;
  const [own, other] = [atPace(ours, pace), atPace(peer, pace)];
  const ratio = other.observerCpu / own.observerCpu;
  return [
    {
      what: `observer CPU, ${panes.length} animated panes, every ${PEER_EVERY_MS} ms (tmux ${version})`,
      drover: `${percent(own.observerCpu)} = 1/${ratio.toFixed(1)} (${own.done})`,
      peer: `process per pane: ${percent(other.observerCpu)} (${other.done})`,
      aim: 'at most 1/20',
      met: ratio >= 20,
    },
    {
      what: '  the same with what tmux does for the observer',
      drover: `${percent(own.wholeCpu)} = 1/${(other.wholeCpu / own.wholeCpu).toFixed(1)}`,
      peer: percent(other.wholeCpu),
      aim: '',
      met: null,
    },
  ];
}

/** Computes what a pace would cost at the measured cost of a look. */
function atPace(
  { observerCpu, systemCpu, tmuxCpu, readingsPerSecond }: Seen,
  wanted: number,
): { readonly observerCpu: number; readonly wholeCpu: number; readonly done: string } {
  const share = wanted / readingsPerSecond;
  const spent = `${percent(observerCpu)}, ${percent(systemCpu)} of it in the kernel`;
  const done = `did ${Math.round(readingsPerSecond)} of ${Math.round(wanted)} looks a second with ${spent}`;
  return { observerCpu: observerCpu * share, wholeCpu: (observerCpu + tmuxCpu) * share, done };
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
  {
    program,
    args,
    forMs,
    tmuxAloneCpu,
  }: { program: string; args: readonly string[]; forMs: number; tmuxAloneCpu: number },
): Promise<Seen> {
  const seen = new Map<string, number>();
  const observer = fork(join(import.meta.dirname, program), [panes.socket, ...args]);
  const numberOf = new Map(panes.panes.map(({ paneId }, index) => [paneId, index]));
  const counts: Told['readings'][] = [];
  observer.on('message', ({ sightings, readings }: Told) => {
    counts.push(readings);
    for (const one of sightings) {
      if (one.kind === 'state') seen.set(`${numberOf.get(one.pane)} ${one.state}`, one.at);
    }
  });
  await sleep(SETTLE_MS);
  const spent = (): readonly number[] => {
    const { userMs, systemMs } = treeCpu(observer.pid ?? 0);
    return [userMs + systemMs, systemMs, ownCpuMs(panes.serverPid)];
  };
  const before = spent();
  const from = now();
  await sleep(forMs);
  const to = now();
  const [observerCpu = 0, systemCpu = 0, serverCpu = 0] = spent().map(
    (ms, at) => (ms - (before[at] ?? 0)) / (to - from),
  );
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
  return { observerCpu, systemCpu, tmuxCpu, readingsPerSecond, latenciesMs, shown: shown.length, missed };
}

/** Readings a second between the first count and the last. @returns NaN for fewer than two. */
function paceOf(counts: readonly Told['readings'][]): number {
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.NaN;
  return ((last.count - first.count) * 1_000) / (last.at - first.at);
}
