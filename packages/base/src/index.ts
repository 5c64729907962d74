/** Exports of this room: words that every other room needs, and no room of its own. */
export { type Clock, type LocalClock, pause, waitFor } from './clock.ts';
export { messageOf } from './error-message.ts';
export type { Log, LogLevel } from './log.ts';
export { systemClock } from './system-clock.ts';
