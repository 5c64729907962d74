// Holds the parts that people of a schedule work with.
import type { MemoryDatabase } from '@drover/store/testing';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import type { Replica } from '../coordinator/replica.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import type { Checker } from '../promises/checker.ts';
import type { Tally } from '../runs/tally.ts';
import type { Terms } from './terms.ts';

export interface PersonParts {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  readonly machines: readonly SimMachine[];
  readonly checker: Checker;
  readonly tally: Tally;
  readonly workers: number;
  /** Milliseconds at most between two acts of a person. */
  readonly paceMs: number;
  /** Chance that they accept all that waits at once, where more than one does. */
  readonly crowd: number;
  readonly terms: Terms;
  /** Tells whether most free workers are left to runs. */
  readonly isSparing: boolean;
}
