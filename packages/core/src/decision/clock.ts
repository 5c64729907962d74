/** Handles a machine whose clock was set back: new reports count as newer than known ones, whatever their times say. */
import { rule, set } from './step.ts';
import type { Step } from './step.ts';
import type { CommandResult } from '../machine/commands.ts';
import { timeLimitOf } from '../policy/policy.ts';
import type { InFlight } from '../worker/command.ts';
import { recordScreen, seenOf } from '../worker/session.ts';
import { beginBefore } from '../worker/turn.ts';

/**
 * Follows the machine's clock by a check. The screen was captured after the check was requested, so a known screen is newer by at most the
 * time that the check took. A known screen that seems newer by more predates a change of the clock. Without this rule, all screens would count
 * as late until the clock is back at its former time.
 */
export function followClock(step: Step, { since }: InFlight, result: CommandResult): Step {
  if (result.kind !== 'observed' || result.screen === null) return step;
  const { worker, ctx } = step;
  const { session, turn } = worker;
  const seen = seenOf(session);
  const { at } = result.screen;
  const tookMs = Math.max(0, ctx.now - since) + timeLimitOf(ctx.policy, 'observe');
  if (seen === null || seen.at - at <= tookMs) return step;
  return set(rule(step, 'clock-set-back'), {
    session: recordScreen(session, { ...seen, at: at - 1 }),
    turn: beginBefore(turn, at),
  });
}
