/** Which error does `--code` name? */
import { ERROR_CODES, isErrorCode } from '@drover/core';
import type { ErrorCode } from '@drover/core';
import { CommandError } from './exit-codes.ts';
import { text } from './options.ts';
import type { Options } from './options.ts';

/** In any case. @returns undefined when it was not given. @throws {CommandError} with the codes that there are. */
export function errorCode(options: Options): ErrorCode | undefined {
  const given = text(options, 'code');
  if (given === undefined) return undefined;
  const code = given.toUpperCase().replaceAll('-', '_');
  if (isErrorCode(code)) return code;
  throw new CommandError(
    'usage',
    `--code takes a code such as AGENT_CRASHED, not "${given}"; there are: ${ERROR_CODES.join(', ')}`,
  );
}
