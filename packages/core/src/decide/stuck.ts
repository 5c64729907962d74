/**
 * Has a turn stopped making progress? Words, transcript and git restart the clock; a spinner alone does not.
 * (docs/recovery.md, stuck)
 */
import type { Policy } from '../policy/policy.ts';
import type { Look } from '../worker/op.ts';
import type { Progress } from '../worker/worker.ts';
import { become, record, rule, set } from './decision.ts';
import type { Step } from './decision.ts';
import { escalated } from './escalation.ts';
import { attempted, noticed } from './incident.ts';
import { enqueue, outgoing } from './orders.ts';
import { NUDGES } from './texts.ts';

/** Notes progress. The first mark after a text of Drover's own only sets the clock: its echo is no progress. */
export function progressed(step: Step, { progress: mark }: Look): Step {
  const { progress } = step.worker;
  if (mark === progress.mark) return step;
  if (progress.mark === null) return set(step, { progress: { ...progress, mark } });
  return set(step, { progress: { mark, at: step.ctx.now, nudges: 0 } });
}

/** When the next nudge is due, epoch milliseconds. */
export function nudgeDueAt({ at, nudges }: Progress, { firstMs, secondMs, handOverMs }: Policy['nudge']): number {
  return at + ([firstMs, secondMs][nudges] ?? handOverMs);
}

/** Whether every nudge was given since the last progress. */
export function isHandedOver({ nudges }: Progress): boolean {
  return nudges >= NUDGES.length;
}

/** Two nudges, then a person. */
export function withoutProgress(step: Step): Step {
  const { progress } = step.worker;
  const text = NUDGES[progress.nudges];
  const minutes = Math.round((step.ctx.now - progress.at) / 60_000);
  if (text === undefined) {
    const why = `no progress for ${minutes} min, after ${NUDGES.length} nudges`;
    const moved = set(become(rule(step, 'stuck'), 'needs_input', why), { turnSince: null });
    const told = record(moved, { kind: 'notice', text: why });
    return escalated(noticed(told, { code: 'AGENT_STUCK', why }, 'escalate'), why);
  }
  const nudged = set(rule(step, 'nudge'), { progress: { ...progress, nudges: progress.nudges + 1 } });
  const known = noticed(nudged, { code: 'AGENT_STUCK', why: `no progress for ${minutes} min` }, 'retry');
  const told = attempted(known, { action: `nudge after ${minutes} min without progress`, strategy: 'retry' });
  return enqueue(told, outgoing(step.ctx.fresh, 'nudge', text));
}
