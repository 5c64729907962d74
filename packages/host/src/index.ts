/** What may other rooms use of the host? */
export { HOST_ERRORS, HostError } from './errors.ts';
export { createLocalHost } from './local-host.ts';
export type { LocalHostOptions } from './local-host.ts';
export type {
  ByteStream,
  DirectoryEntry,
  EnvironmentChange,
  FileStat,
  Host,
  RunOptions,
  RunOutcome,
  StreamExit,
  StreamOptions,
} from './host.ts';
export { systemClock } from './system-clock.ts';
export type { Clock } from './system-clock.ts';
