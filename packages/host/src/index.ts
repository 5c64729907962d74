/** What may other rooms use of the host? */
export { HostError } from './errors.ts';
export { createLocalHost } from './local-host.ts';
export type { ByteStream, EnvironmentChange, FileStat, Host, RunOptions, RunOutcome } from './host.ts';
export { systemClock } from './system-clock.ts';
export type { Clock } from './system-clock.ts';
