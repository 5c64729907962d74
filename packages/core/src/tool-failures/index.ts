/** Exports the parts of core that a hook needs. Loaded on its own, because an answer to a hook must not wait for the rest. */
export { adviseOnToolFailure } from './advise.ts';
export type { Advice } from './advise.ts';
export { classifyToolFailure } from './classify.ts';
export type { ToolFailure, WorkPhase } from './failure.ts';
export { TOOL_POLICY_VARIABLE, toolPolicyFrom } from '../policy/override.ts';
export { historyOf, operationOf, reportOf, signatureOf } from './report.ts';
export type { ToolFailureReport } from './report.ts';
