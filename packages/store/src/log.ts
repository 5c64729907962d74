// How does this room tell what it does? Through a function it is given.

/** How much a line matters: `warn` asks to be read, `error` asks for a person. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes one line. `fields` holds what a machine may want to filter by. It must not throw. */
export type Log = (level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>) => void;
