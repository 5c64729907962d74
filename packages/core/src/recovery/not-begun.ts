/**
 * Handles commands that were not begun, or were left, though nothing is wrong with the work: no budget is spent. R2: each waits before it
 * comes again.
 */
import { note, rule, set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { Command, Failed } from '../machine/commands.ts';
import { holdUntil } from '../worker/command.ts';

/** Decides afresh what the worker needs, after its machine was silent for too long, or accepted work came first. */
export function giveAfresh(step: Step, { kind }: Command, { code, message }: Failed): Step {
  const named = note(rule(step, `failed:${kind}:${code}`), message);
  return hold(named, step.ctx.now + step.ctx.policy.command.retry.waitMs);
}

/** Waits at leisure for another machine that has the repository and is not there. */
export function waitForHome(step: Step, why: string): Step {
  return hold(note(step, why), step.ctx.now + step.ctx.policy.checkEveryMs);
}

function hold(step: Step, at: number): Step {
  return set(step, { command: holdUntil(step.worker.command, at) });
}
