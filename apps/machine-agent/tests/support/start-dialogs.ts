/** Answers the dialogs of a start in tests: each once; again only if a key of the answer was not taken. */
import type { Reading } from '@drover/core';
import type { WorkerSettings } from '@drover/protocol';
import type { ScriptedCoordinator } from './scripted-coordinator.ts';
import { until } from './until.ts';

/** Times that an answer to one dialog may fail. */
const STALE_MAX = 3;

/** Answers each dialog once, until the worker's newest screen after the first `from` observations shows "ready". */
export async function answerDialogs(
  coordinator: ScriptedCoordinator,
  worker: WorkerSettings,
  from: number,
): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const { incarnation, reading } = await until('a dialog or ready', () => {
      const newest = coordinator.stored
        .slice(from)
        .findLast(({ body }) => body.kind === 'screen' && body.workerId === worker.workerId)?.body;
      if (newest?.kind !== 'screen') return undefined;
      const name = dialogIn(newest.reading);
      // An answered dialog is gone: a screen that still shows it was seen before.
      return newest.reading.state.kind === 'ready' || (name !== null && !done.has(name)) ? newest : undefined;
    });
    const name = dialogIn(reading);
    if (name === null) return;
    await answerOne({ coordinator, settings: worker, incarnation }, reading);
    done.add(name);
  }
}

type Place = {
  readonly coordinator: ScriptedCoordinator;
  readonly settings: WorkerSettings;
  readonly incarnation: string;
};

async function answerOne({ coordinator, settings, incarnation }: Place, first: Reading): Promise<void> {
  let isConfirmed = false;
  for (let [reading, times] = [first, 1]; reading.state.kind === 'dialog'; times += 1) {
    const { kind, trust } = reading.state.dialog;
    const choice =
      trust === undefined
        ? ({ kind: 'policy', dialog: kind } as const)
        : { kind: 'label' as const, label: trust.accept };
    const { fingerprint } = reading;
    const result = await coordinator.carriedOut(settings, { kind: 'answer', incarnation, fingerprint, choice });
    if (result.kind === 'answered') return;
    if (result.kind !== 'stale') throw new Error(`A dialog was not answered: ${JSON.stringify(result)}`);
    isConfirmed ||= result.why === 'the dialog did not close';
    const observed = await coordinator.carriedOut(settings, { kind: 'observe', base: null, delivery: null });
    const now = observed.kind === 'observed' ? observed.screen : null;
    const follows = afterStale({ reading, isConfirmed, times }, now);
    if (follows === 'gone') return;
    if (follows === 'wrong' || now === null)
      throw new Error(`Answered ${times} times in vain (${result.why}): ${JSON.stringify({ reading, now })}`);
    reading = now;
  }
}

/**
 * Next step after an answer that failed. `again`, as the coordinator does, only if a newer screen shows that very dialog: a key of the answer
 * was not taken. `gone` if its option was confirmed, and the dialog closed late.
 */
export function afterStale(
  { reading, isConfirmed, times }: { reading: Reading; isConfirmed: boolean; times: number },
  now: Reading | null,
): 'again' | 'gone' | 'wrong' {
  if (now === null || now.at <= reading.at) return 'wrong';
  if (dialogIn(now) !== dialogIn(reading)) return isConfirmed ? 'gone' : 'wrong';
  return times > STALE_MAX ? 'wrong' : 'again';
}

/** Dialog that a screen shows, by its words; null when it shows none. */
function dialogIn({ state }: Reading): string | null {
  return state.kind === 'dialog' ? `${state.dialog.kind}: ${state.dialog.title}` : null;
}
