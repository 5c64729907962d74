/** Virtual time, seeded chance, and coding agents and git to simulate with. */
export { VirtualTime } from './virtual-time.ts';
export { SeededRandom } from './random.ts';
export { VirtualIds } from './ids.ts';
export { SimGit } from './simulated/git.ts';
export type { SimSave } from './simulated/worktree.ts';
export { droppedFrom, pushSlip, takeOut, worksShown } from './simulated/rewrites.ts';
export { carryOutGit, GIT_COMMANDS } from './simulated/git-commands.ts';
export type { GitCommand } from './simulated/git-commands.ts';
export type { GitLuck, GuestWork } from './simulated/git-parts.ts';
export { SimProgram } from './simulated/program.ts';
export type { ProgramLuck } from './simulated/program.ts';
export { toolFailure } from './simulated/tools.ts';
