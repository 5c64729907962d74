/** Entry of the host for other rooms. */
export { HostError } from './errors.ts';
export { createLocalHost } from './local/local-host.ts';
export { askLoginShell } from './local/login.ts';
export type { ByteStream, EnvironmentChange, Host, RunOptions, RunOutcome, StreamExit } from './host.ts';
export type { FileRange, Files, FileStat, PathStat } from './port/files.ts';
export type { HostFacts, HostLink, HostLoad, HostWatch, LinkState, Loopback, Processes } from './port/machine.ts';
