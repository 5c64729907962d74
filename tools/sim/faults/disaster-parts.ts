/** Lists the parts of a simulated fleet that a disaster can reach. */
import type { SeededRandom, SimGit, VirtualTime } from '@drover/testkit';
import type { Luck } from './luck.ts';
import type { SimMachine } from '../machine/sim-machine.ts';
import type { Network } from '../coordinator/network.ts';
import type { Replica } from '../coordinator/replica.ts';
import type { Tally } from '../runs/tally.ts';

export interface DisasterParts {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly network: Network;
  readonly replicas: readonly Replica[];
  readonly machines: readonly SimMachine[];
  readonly origins: readonly SimGit[];
  /** Milliseconds between the database's clock and the true time. */
  readonly databaseClock: { offMs: number };
}
