/** What does testkit offer? Virtual time, seeded chance, and coding agents and git to simulate with. */
export { VIRTUAL_START, VirtualTime } from './virtual-time.ts';
export { SeededRandom } from './random.ts';
export { VirtualIds } from './ids.ts';
export { SimGit } from './sim-git.ts';
export { carryOutGit, GIT_OPS } from './git-ops.ts';
export type { GitLuck, GitOp } from './git-ops.ts';
export { SimProgram } from './sim-program.ts';
export type { ProgramLuck } from './sim-program.ts';
export { toolFailure } from './sim-tools.ts';
export type { TurnEnd } from './sim-turn.ts';
