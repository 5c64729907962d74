// Measures whether every text arrives once and whole in many panes at once, and how fast.
import { join } from 'node:path';
import { busyLoops } from '../busy-loops.ts';
import { textOf } from './contents.ts';
import { sendDebounced } from './debounce-sender.ts';
import { type Figure, median, ms } from '../figures.ts';
import { BenchFleet, type Receiver } from './bench-fleet.ts';
import { SIMULATED } from './simulated.ts';
import { note, noTally, numbers, outcomesOf, sendOurs, tallyOf, wordsOf, type Sending } from './tally.ts';
import { sleep, until } from '../wait.ts';

/** Milliseconds after its Enter in which the peer's text must be taken. */
const PEER_TAKEN_MS = 5_000;
/** Numbers of texts, of panes and of busy loops. */
export interface DeliveryPlan {
  readonly sends: number;
  readonly peerSends: number;
  readonly panes: number;
  readonly load: number;
  readonly timings: number;
}

/** Rows 1 and 2 of the table. */
export async function measureDelivery({
  sends,
  peerSends,
  panes,
  load,
  timings,
}: DeliveryPlan): Promise<readonly Figure[]> {
  await using fleet = await BenchFleet.start(panes, SIMULATED);
  const speeds = await measureSpeed(fleet, timings);
  const startedAt = performance.now();
  await using stack = new AsyncDisposableStack();
  stack.use(busyLoops(load));
  const ours = await tallyOf(fleet, numbers(0, sends), sendOurs);
  const seconds = (performance.now() - startedAt) / 1_000;
  const peer = await tallyOf(fleet, numbers(sends, sends + peerSends), sendPeer);
  const perSecond = (sends / seconds).toFixed(1);
  return [
    {
      what: `delivery, sim-agent, ${panes} panes at once, ${load} busy loops: lost / doubled / altered`,
      drover: wordsOf(ours),
      peer: `fixed debounce: ${wordsOf(peer)}`,
      aim: '0 / 0 / 0',
      met: ours.lost + ours.doubled + ours.altered === 0,
    },
    {
      what: `  of these with the announced space or tab; outcomes on the way (${perSecond} texts a second)`,
      drover: `${ours.announced}; ${outcomesOf(ours)}`,
      peer: `${peer.announced}; ${outcomesOf(peer)}`,
      aim: '',
      met: null,
    },
    ...speeds,
  ];
}

async function sendPeer(
  fleet: BenchFleet,
  receiver: Receiver,
  { one: { text }, tally }: Sending,
): Promise<readonly string[]> {
  fleet.answerQuickly(receiver);
  const before = receiver.taken().length;
  const accepted = await sendDebounced(socketOf(fleet), `drover-${receiver.settings.name}:`, text);
  if (!accepted) {
    note(tally, 'refused by tmux');
    return ['refused by tmux'];
  }
  const taken = await until('the text', PEER_TAKEN_MS, () =>
    receiver.taken().length > before ? true : undefined,
  ).catch(() => false);
  if (!taken) note(tally, 'not taken');
  await sleep(500); // its turn ends
  await clear(fleet, receiver);
  return [taken === true ? 'taken' : 'not taken'];
}

/** Empties the box, so that a failure of one text does not spoil the next. */
async function clear(fleet: BenchFleet, receiver: Receiver): Promise<void> {
  const target = `drover-${receiver.settings.name}:`;
  fleet.machine.tmux('send-keys', '-t', target, 'Escape');
  await sleep(100);
  fleet.machine.tmux('send-keys', '-t', target, 'Escape');
  await sleep(100);
}

/** Row 2: texts of 1 KB into one pane, ours and the peer's in alternation, on one line and on many. */
async function measureSpeed(fleet: BenchFleet, timings: number): Promise<readonly Figure[]> {
  const [receiver] = fleet.receivers;
  if (receiver === undefined) return [];
  const figures: Figure[] = [];
  for (const kind of ['ascii', 'lines']) {
    const ours: number[] = [];
    const peer: number[] = [];
    for (let number = 0; number < timings; number += 1) {
      fleet.answerQuickly(receiver);
      const from = fleet.machine.coordinator.stored.length;
      const { result, tookMs } = await fleet.deliver(receiver, textOf(kind, 1_024, `ours-${kind}-${number}`));
      if (result.kind === 'delivered') ours.push(tookMs);
      await fleet.ready(receiver, from);
      const requestedAt = Date.now();
      await sendPeer(fleet, receiver, {
        one: { mark: '', kind, text: textOf(kind, 1_024, `peer-${kind}-${number}`) },
        tally: noTally(),
      });
      const at = receiver.taken().at(-1)?.at ?? Number.NaN;
      if (at >= requestedAt) peer.push(at - requestedAt);
      await sleep(300);
    }
    const ratio = median(peer) / median(ours);
    figures.push({
      what: `command → taken, 1 KB ${kind === 'lines' ? 'on many lines' : 'on one line'} (median of ${ours.length})`,
      drover: `${ms(median(ours))}, ${ratio.toFixed(1)} times faster`,
      peer: `fixed debounce: ${ms(median(peer))}`,
      aim: 'at least 5 times faster',
      met: ratio >= 5,
    });
  }
  return figures;
}

function socketOf({ machine }: BenchFleet): string {
  return join(machine.dir, 'run', 'tmux.sock');
}
