/** Lists every step of the git flow that is killed: of an accept, a train, a main elsewhere, and a move. */
import { ELSEWHERE_STEPS } from './elsewhere.ts';
import { MERGE_STEPS } from './merge.ts';
import { MOVE_STEPS } from './move.ts';
import type { KillStep } from './scene.ts';
import { TRAIN_STEPS } from './train.ts';

/** Steps by name, as people know them. */
export const KILL_STEPS: Readonly<Record<string, KillStep>> = {
  ...MERGE_STEPS,
  ...TRAIN_STEPS,
  ...ELSEWHERE_STEPS,
  ...MOVE_STEPS,
};
