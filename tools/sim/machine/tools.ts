/** Holds what a process of an agent uses on a simulated machine. */
import type { DeliveryContext, FrozenPlaces, Parcels, RunningCommand } from '@drover/machine-agent/testing';
import type { AgentProcess } from './agent-process.ts';
import type { Link } from './link.ts';
import type { SimUsageTeller } from './runs/usage.ts';
import type { MachineBody } from './parts.ts';

/** Parts that every command is carried out with. */
export interface Acting extends Tools, RunningCommand {
  readonly workerId: string;
}

/** Parts that a process of the agent uses. */
export interface Tools extends Omit<DeliveryContext, keyof RunningCommand> {
  readonly machine: MachineBody;
  readonly agentProcess: AgentProcess;
  readonly frozenPlaces: FrozenPlaces;
  readonly asksElsewhere: Pick<Parcels, 'askHome'>;
  readonly link: Link;
  readonly usage: SimUsageTeller;
  /** A command is about to be carried out. */
  readonly begins: () => void;
  /** The process dies here with some probability. */
  readonly mayDie: () => Promise<void>;
}
