/** What people said and nobody has read yet: which words are these, and who is told when they will not be read? */
import type { Outgoing, Worker } from '../worker/worker.ts';
import { record, rule } from './decision.ts';
import type { Step } from './decision.ts';
import { excerpt } from './texts.ts';

/** Everything that waits to be typed, oldest first. */
export function waitingTexts({ outgoing, backlog }: Worker): readonly Outgoing[] {
  return outgoing === null ? backlog : [outgoing, ...backlog];
}

/** Everything that the agent has not read: held back when a person was asked, to be typed, or in its program's own queue. */
export function unreadTexts(worker: Worker): readonly Outgoing[] {
  return [...(worker.incident?.held ?? []), ...waitingTexts(worker), ...worker.queued];
}

/** Those of them that people said. */
export function wordsOfPeople(texts: readonly Outgoing[]): readonly Outgoing[] {
  return texts.filter(({ purpose }) => purpose === 'message' || purpose === 'rejection');
}

/** Whether nothing of a text can stand anywhere yet (R5). */
export function isUntouched({ inFlight }: Worker, { lost, partial, verify, next, text }: Outgoing): boolean {
  const isBeingTyped = inFlight?.op.kind === 'deliver' && inFlight.op.text === text;
  return lost === 0 && partial === 0 && verify === null && next === 'type' && !isBeingTyped;
}

/** Words of people among these texts may reach nobody any more: a notice names them. `why` begins it. */
export function wordsDropped(step: Step, texts: readonly Outgoing[], why: string): Step {
  const words = wordsOfPeople(texts).map(({ text }) => `"${excerpt(text)}"`);
  if (words.length === 0) return step;
  return record(rule(step, 'words-dropped'), { kind: 'notice', text: `${why}: ${words.join(', ')}` });
}
