/** The log of long-running processes: lines on stderr and in files, at the configured level. */
import type { Log } from '@drover/base';
import { LOG_LEVELS } from '@drover/config';
import type { LogLevel } from '@drover/config';
import { Redactor } from '@drover/protocol';
import type { LogLine } from './log-file.ts';
import { clockTime, paint, plain } from '../terminal/style.ts';
import type { Surroundings } from '../surroundings.ts';

const STYLE = { debug: 'dim', info: null, warn: 'yellow', error: 'red' } as const;

/** Lines of a log that the terminal shows. */
export interface Shown {
  readonly least: LogLevel;
  readonly below: (message: string) => void;
}

/** Parts of a log beside its level. */
export interface LogParts {
  readonly redactor?: Redactor;
  /** Keeps each line in a file too. */
  readonly keep?: (line: LogLine) => void;
  /** Least level on the terminal, where that differs, and a place for the lines below it. */
  readonly shown?: Shown;
}

/** Prints, without secrets, lines that are at least as grave as `least`; the facts too at the debug level. */
export function createLog(
  { terminal, now }: Surroundings,
  least: LogLevel,
  { redactor = new Redactor(), keep, shown }: LogParts = {},
): Log {
  return (level, said, facts) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    const [message, fields] = redactor.value([said, facts]);
    keep?.({ at: now(), level, message, fields });
    if (shown !== undefined && LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(shown.least)) {
      shown.below(message);
      return;
    }
    const more = fields === undefined ? '' : ` ${JSON.stringify(fields)}`;
    if (terminal.json) {
      terminal.err(JSON.stringify({ at: now(), level, message, ...fields }));
      return;
    }
    const text = level === 'debug' ? `${plain(message)}${more}` : plain(message);
    const style = STYLE[level];
    terminal.err(`${clockTime(now())} ${style === null ? text : paint(text, style, terminal.colours)}`);
  };
}
