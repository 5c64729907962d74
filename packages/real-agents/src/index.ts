/** Entry of real-agents: real coding agents to try and to measure, and a model service that is a witness. */
export { cacheDirectory, found, installed } from './install.ts';
export { isolate } from './isolation.ts';
export type { Isolation } from './isolation.ts';
export type { Exchange } from './mock-server/server.ts';
export { MockModel } from './mock-server/server.ts';
export { PROGRAMS } from './programs/index.ts';
export type { Place, Program } from './programs/program.ts';
export { dialogTitlesIn } from './texts/dialog-texts.ts';
export { errorTextsIn } from './texts/error-texts.ts';
export { AGENT_NAMES, agentNamed, releaseNamed, RELEASES, releasesOf } from './versions.ts';
export type { AgentName, Release, Tried } from './versions.ts';
