// Logs what this room does, through a function that it is given.

/** Importance of a line: `warn` asks to be read, `error` asks for a person. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes one line. `fields` holds what a machine may want to filter by. A log function must not throw. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
