/**
 * Waits for work that an agent's turn left running beside its prompt, such as a shell in the background. The turn is not over: its end wakes the
 * agent, or leaves the prompt alone (docs/recovery.md, stuck).
 */
import { become, disarm, note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Reading } from '../machine/reading.ts';
import { askAboutRunning } from '../recovery/questions.ts';
import { duration } from '../taxonomy/wording.ts';
import { isBusy } from '../worker/status.ts';
import { continueTurn, heldBy, noteBackground, restartBackground, setBackgroundWait } from '../worker/turn.ts';
import type { Turn } from '../worker/turn.ts';

const MINUTE_MS = 60_000;

/** Keeps the turn open, and says for what and for how long. A person who was asked something else is still asked. */
export function awaitBackground(step: Step, { at }: Reading, what: string): Step {
  const { turn, lifecycle, incident } = step.worker;
  const { background = null } = turn;
  // A wait goes on, with its clock; only work of the agent between two waits ends one.
  const open = { ...continueTurn(turn, at), background };
  const known = noteBackground(open, what, step.ctx.now);
  const held = set(disarm(rule(step, 'background'), 'settle'), { turn: known });
  const words = `waits for its ${what}${sinceWords(known, step.ctx.now)}`;
  if (isBusy(lifecycle.status)) return note(held, words);
  const isUnasked = lifecycle.status === 'needs_input' && incident.open === null && !lifecycle.takenOver;
  return isUnasked ? become(held, 'working', words) : held;
}

function sinceWords(turn: Turn, now: number): string {
  const spent = now - (heldBy(turn)?.since ?? now);
  return spent < MINUTE_MS ? '' : `, ${minutes(spent)}`;
}

function minutes(ms: number): string {
  return ms < 2 * MINUTE_MS ? '1 min' : duration(ms);
}

/** Asks a person, once, about background work that does not end. */
export function askAboutBackground(step: Step): Step {
  const { turn } = step.worker;
  const held = heldBy(turn);
  if (held === null || held.wait === 'asked') return step;
  // The machine was away meanwhile, and nobody saw whether the work still runs.
  if (!step.ctx.machineConnected) return set(step, { turn: restartBackground(turn, step.ctx.now) });
  const asked = set(rule(step, 'background:asks'), { turn: setBackgroundWait(turn, 'asked') });
  return askAboutRunning(asked, `has waited for its ${held.what} for ${minutes(step.ctx.now - held.since)}`);
}
