/** Messages between a process and its starter. Both are of one build. */
import type { RunOptions, RunOutcome } from '../../host.ts';
import type { HostError } from '../../errors.ts';
import type { Program } from '../start-program.ts';

/** Message to the starter: run a program, or end one. */
export type Wish =
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly wanted: Program;
      readonly limits: Omit<RunOptions, 'cwd' | 'env' | 'signal'>;
    }
  | { readonly kind: 'stop'; readonly id: number };

/** Message from the starter: how the program ended, or why it could not run. */
export type Answer =
  | { readonly id: number; readonly outcome: Omit<RunOutcome, 'stdout'> }
  | { readonly id: number; readonly refused: Pick<HostError, 'code' | 'message'> };
