/** What is done with machines: who lets them in, and who takes them out. */
import type { z } from 'zod';
import type { machineInput, removeMachineInput } from './inputs.ts';
import type { Actor, Outcome } from './ports.ts';
import type { MachineOrderView } from './views.ts';

/** The use cases about machines. An unknown name is refused with those that there are. */
export interface MachineFleet {
  /** The machine is refused from now on, until it is invited again. */
  revokeMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineOrderView>>;
  /** The machine makes a new key at its next hello. Refused with `revoked`. */
  rotateMachine(input: z.infer<typeof machineInput>, by: Actor): Promise<Outcome<MachineOrderView>>;
  /** Refused with `has-workers` unless forced; then they are forgotten, and everything on the machine stays. */
  removeMachine(input: z.infer<typeof removeMachineInput>, by: Actor): Promise<Outcome<MachineOrderView>>;
}
