/** Asks for a checkpoint of the work. */
import { set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { CheckpointType } from '../machine/commands.ts';
import { isUrgent, wantSave } from '../worker/checkpoint.ts';

/** Asks for a checkpoint at the next opportunity, unless there is no worktree, or the policy wants no leisurely ones. */
export function wantCheckpoint(step: Step, type: CheckpointType, why: string): Step {
  if (!isUrgent(type) && !step.ctx.policy.checkpoint.enabled) return step;
  return wantCheckpointNamed(step, type, { id: step.ctx.fresh, why });
}

/** Asks for a checkpoint before the first attempt of an incident: an agent that is asked or started again changes the work. */
export function wantCheckpointFirst(step: Step, action: string): Step {
  const { incident, task } = step.worker;
  const { enabled, onError } = step.ctx.policy.checkpoint;
  const isFirst = incident.open?.attempts === 0 && incident.open.tried.length === 0;
  return enabled && onError && isFirst && task.kind !== 'none' ? wantCheckpoint(step, 'before_retry', action) : step;
}

/** Asks for a checkpoint like `wantCheckpoint`, with the id that a person was given. */
export function wantCheckpointNamed(step: Step, type: CheckpointType, name: { id: string; why: string }): Step {
  const { checkpoint, worktree, incident } = step.worker;
  if (worktree.place.kind === 'none') return step;
  return set(step, { checkpoint: wantSave(checkpoint, { ...name, type, incident: incident.open?.id ?? null }) });
}
