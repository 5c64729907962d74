// What does it cost to look at many moving panes, and how soon is each change seen?
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AnimatedPanes } from './animated-panes.ts';
import { ownCpuMs, treeCpuMs } from './cpu.ts';
import { type Figure, median, percent, spread } from './figures.ts';
import type { Sighting } from './watcher.ts';
import { now, sleep } from './wait.ts';

interface Seen {
  /** Shares of one core. */
  readonly observerCpu: number;
  readonly serverCpu: number;
  readonly animatorCpu: number;
  /** Looks at a pane each second; 0 where they are not counted. */
  readonly looksPerSecond: number;
  readonly latenciesMs: readonly number[];
  readonly shown: number;
  readonly missed: number;
}

/** Milliseconds until a fresh observer has looked at everything once. */
/** Looks a second at each pane that the driver makes while something is awaited, and that the peer method promises. */
const OUR_LOOKS_PER_SECOND = 4;
const PEER_LOOKS_PER_SECOND = 2;
const SETTLE_MS = 2_000;
/** States shown in the last so many milliseconds of a measurement are left out: they had no time to be seen. */
const LATE_MS = 2_000;

/** Both ways of looking at the same panes, one after the other. */
export async function measureSeeing(panes: AnimatedPanes, { forMs }: { forMs: number }): Promise<readonly Figure[]> {
  const ours = await observe(panes, { program: 'watcher.ts', args: [], forMs });
  const ids = panes.panes.map(({ paneId }) => paneId);
  const peer = await observe(panes, { program: 'process-per-pane.ts', args: ids, forMs });
  const count = panes.panes.length;
  // On a busy machine neither keeps its pace: what counts is what the pace that each promises would cost.
  const oursCpu = (ours.observerCpu / ours.looksPerSecond) * count * OUR_LOOKS_PER_SECOND;
  const peerCpu = (peer.observerCpu / peer.looksPerSecond) * count * PEER_LOOKS_PER_SECOND;
  const ratio = peerCpu / oursCpu;
  const done = ({ looksPerSecond, observerCpu }: Seen, wanted: number): string =>
    `did ${Math.round(looksPerSecond)} of ${count * wanted} looks a second with ${percent(observerCpu)}`;
  return [
    {
      what: `observer CPU, ${count} animated panes (tmux ${panes.version})`,
      drover: `every 250 ms: ${percent(oursCpu)} = 1/${ratio.toFixed(0)} (${done(ours, OUR_LOOKS_PER_SECOND)})`,
      peer: `process per pane, 500 ms: ${percent(peerCpu)} (${done(peer, PEER_LOOKS_PER_SECOND)})`,
      aim: 'at most 1/20',
      met: ratio >= 20,
    },
    {
      what: '  change on screen → seen',
      drover: spread(ours.latenciesMs),
      peer: spread(peer.latenciesMs),
      aim: 'p50 300 ms',
      met: median(ours.latenciesMs) <= 300,
    },
    {
      what: '  states missed',
      drover: `${ours.missed} of ${ours.shown}`,
      peer: `${peer.missed} of ${peer.shown}`,
      aim: '0',
      met: ours.missed === 0,
    },
    {
      what: '  beside it: tmux server / animator CPU',
      drover: `${percent(ours.serverCpu)} / ${percent(ours.animatorCpu)}`,
      peer: `${percent(peer.serverCpu)} / ${percent(peer.animatorCpu)}`,
      aim: '',
      met: null,
    },
  ];
}

async function observe(
  panes: AnimatedPanes,
  { program, args, forMs }: { program: string; args: readonly string[]; forMs: number },
): Promise<Seen> {
  const seen = new Map<string, number>();
  const observer = fork(join(import.meta.dirname, program), [panes.socket, ...args]);
  const numberOf = new Map(panes.panes.map(({ paneId }, index) => [paneId, index]));
  let looks = 0;
  observer.on('message', (sighting: Sighting) => {
    if (sighting.kind === 'looks') looks = sighting.count;
    if (sighting.kind === 'state') seen.set(`${numberOf.get(sighting.pane)} ${sighting.state}`, sighting.at);
  });
  await sleep(SETTLE_MS);
  const spent = (): readonly number[] => [
    treeCpuMs(observer.pid ?? 0),
    ownCpuMs(panes.serverPid),
    ownCpuMs(panes.animatorPid),
  ];
  const before = spent();
  const looksBefore = looks;
  const from = now();
  await sleep(forMs);
  const to = now();
  const [observerCpu = 0, serverCpu = 0, animatorCpu = 0] = spent().map(
    (ms, at) => (ms - (before[at] ?? 0)) / (to - from),
  );
  const looksPerSecond = ((looks - looksBefore) * 1_000) / (to - from);
  observer.send('stop');
  await once(observer, 'exit');
  const shown = panes.shown().filter(({ at }) => at >= from && at < to - LATE_MS);
  const latenciesMs = shown.flatMap(({ pane, state, at }) => {
    const seenAt = seen.get(`${pane} ${state}`);
    return seenAt === undefined ? [] : [seenAt - at];
  });
  const missed = shown.length - latenciesMs.length;
  return { observerCpu, serverCpu, animatorCpu, looksPerSecond, latenciesMs, shown: shown.length, missed };
}
