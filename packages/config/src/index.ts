// Entry of the configuration for other rooms.
export { workerNameProblem } from '@drover/core';
export { CHECKS_FILE, parseChecks } from './checks-file.ts';
export { ConfigError } from './config-error.ts';
export { describeConfig, type OptionDescription, type SectionDescription } from './schema/describe.ts';
export { ENVIRONMENT_ONLY } from './environment.ts';
export { parseDocument } from './load/document.ts';
export { loadConfig, parseConfig, type ConfigOutcome } from './load/load.ts';
export { closeToOthers } from './directories/private-files.ts';
export { BUILT_IN_FLOWS } from './flow/built-in.ts';
export { parseFlow, type FlowNames, type FlowOutcome } from './flow/parse.ts';
export { oncallPolicy } from './oncall/oncall.ts';
export { policyDocuments } from './policy/policy.ts';
export { projectPart, projectSettings, PROJECT_TABLES, type ProjectSettings } from './project/project.ts';
export { parsePolicy, type PolicyFileOutcome } from './policy/file.ts';
export { formatProblem } from './load/problems.ts';
export { type Config } from './schema/schema.ts';
export { LOG_LEVELS, type LogLevel } from './schema/log.ts';
export {
  CONFIG_FILE,
  ROOT_NOTE,
  findRoot,
  machinePaths,
  makePrivateDirectory,
  paths,
  readEnvironment,
  type Environment,
  type Paths,
  type RootOutcome,
} from './surroundings.ts';
export { configTemplate } from './schema/template.ts';
export { workerOptions, type WorkerOptions } from './worker-options.ts';
