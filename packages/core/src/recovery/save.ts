/** Asks for a checkpoint of the work. */
import { set } from '../decision/step.ts';
import type { Step } from '../decision/step.ts';
import type { CheckpointType } from '../machine/commands.ts';
import { wantSave } from '../worker/checkpoint.ts';

/** Asks for a checkpoint at the next opportunity, unless there is no worktree. */
export function wantCheckpoint(step: Step, type: CheckpointType, why: string): Step {
  return wantCheckpointNamed(step, type, { id: step.ctx.fresh, why });
}

/** Asks for a checkpoint like `wantCheckpoint`, with the id that a person was given. */
export function wantCheckpointNamed(step: Step, type: CheckpointType, name: { id: string; why: string }): Step {
  const { checkpoint, worktree, incident } = step.worker;
  if (worktree.place.kind === 'none') return step;
  return set(step, { checkpoint: wantSave(checkpoint, { ...name, type, incident: incident.open?.id ?? null }) });
}
