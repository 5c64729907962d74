/** What does testkit offer? Virtual time, seeded chance, and a machine to simulate with. */
export { VIRTUAL_START, VirtualTime } from './virtual-time.ts';
export { SeededRandom } from './random.ts';
export { VirtualIds } from './ids.ts';
export { SimGit } from './sim-git.ts';
export type { GitLuck } from './git-ops.ts';
export type { ProgramLuck, SimProgram } from './sim-program.ts';
export type { TurnEnd } from './sim-turn.ts';
export { SimMachine } from './sim-machine.ts';
export type { MachineLuck, MachineWatch, SimMachineParts } from './sim-machine.ts';
export type { SimConnection, SimTransport } from './machine-sync.ts';
