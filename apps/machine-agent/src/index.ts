/** Entry of the machine agent for composition roots. */
export type { Ceilings } from './execute/ceilings.ts';
export { directoryProblem, upstreamWarning } from '@drover/worktree';
export { makeProgramEnvironment } from './host/program-environment.ts';
export { startMachineAgent, type MachineAgent } from './machine-agent.ts';
export type { CrashPoint } from './crash-point.ts';
export type { MachineAgentOptions } from './options.ts';
export { AgentDirectoryError } from './store/database.ts';
export { agentDirectory, gatewayDirectory, joinedUrl, joinFleet } from './join.ts';
export { examineAgent, examineHelpers } from './local-agents.ts';
export { examineSupplies } from './local-supplies.ts';
export {
  examineIdentity,
  examineIsolation,
  examineMachine,
  examinePrefix,
  examineSource,
  isAddress,
  findRootLosses,
  isRootOfOtherBuild,
  type Finding,
} from './local-project.ts';
