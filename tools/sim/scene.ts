// Lists the parts of one schedule. Whoever acts in it, or disturbs it, is given some of them.
import type { MemoryDatabase } from '@drover/store/testing';
import type { SeededRandom, VirtualTime } from '@drover/testkit';
import type { Network } from './coordinator/network.ts';
import type { SimProject } from './coordinator/projects.ts';
import type { Replica } from './coordinator/replica.ts';
import type { Luck } from './faults/luck.ts';
import type { SimMachine } from './machine/sim-machine.ts';
import type { Checker } from './promises/checker.ts';
import type { Tally } from './runs/tally.ts';

export interface Scene {
  readonly seed: number;
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly luck: Luck;
  readonly tally: Tally;
  readonly checker: Checker;
  readonly network: Network;
  readonly database: MemoryDatabase;
  readonly replicas: readonly Replica[];
  readonly machines: readonly SimMachine[];
  readonly projects: readonly SimProject[];
  readonly uuid: () => string;
}
