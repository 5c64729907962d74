/** The clock of a machine was set back: what comes from it now is not older than what was known, whatever its times say. */
import { rule, set } from './step.ts';
import type { Step } from './step.ts';
import type { CommandResult } from '../machine/commands.ts';
import { timeLimitOf } from '../policy/policy.ts';
import type { InFlight } from '../worker/command.ts';
import { recordScreen, seenOf } from '../worker/session.ts';
import { beginBefore } from '../worker/turn.ts';

/**
 * Follows the clock of the machine by a check. Its screen was captured after the check was asked for; so a screen that was known is newer by
 * the time that the check took, at most. One that seems newer by more is from before the clock was set, and without this all screens would
 * count as late until the clock is where it was.
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
