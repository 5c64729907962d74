/** Declares the log that every part writes to. */

/** Importance of a line: `warn` passes by itself, `error` needs a person. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Writes one line; never throws. `fields` are for machines. Neither may hold a secret. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
