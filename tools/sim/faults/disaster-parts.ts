/** What of a simulated fleet can a disaster reach? */
import type { SeededRandom, SimGit, VirtualTime } from '@drover/testkit';
import type { Luck } from './luck.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import type { Network } from '../coordinator/network.ts';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';

/** Whom it can come over. */
export interface DisasterParts {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly network: Network;
  readonly replicas: readonly Replica[];
  readonly machines: readonly SimMachine[];
  readonly origins: readonly SimGit[];
  /** How far the database's clock is from the true time, in milliseconds. */
  readonly databaseClock: { offMs: number };
}
