/** Turns a refusal of a use case, or an invalid input, into an answer with a status and a message. */
import { TRPCError } from '@trpc/server';
import type { Outcome } from '../outcome.ts';

/** Carries the use case's own code beside the status. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the value of an outcome. @throws {TRPCError} for a refusal, with its code as the reason. */
export function value<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'ok') return outcome.value;
  const { code, message } = outcome;
  const status = code === 'not-found' ? 'NOT_FOUND' : code === 'invalid' ? 'BAD_REQUEST' : 'CONFLICT';
  throw new TRPCError({ code: status, message, cause: new Refused(code, message) });
}

/** Returns the reason as a code for programs. */
export function reasonOf(error: TRPCError): string {
  return error.cause instanceof Refused ? error.cause.code : error.code.toLowerCase().replaceAll('_', '-');
}

/** Describes in sentences why a schema refused input. Internal faults are not shown. */
export function readable(error: TRPCError): string {
  const { cause } = error;
  if (cause !== undefined && 'issues' in cause && Array.isArray(cause.issues)) {
    return cause.issues.map((issue: { message: string; path: unknown[] }) => sentence(issue)).join('. ');
  }
  if (error.code === 'INTERNAL_SERVER_ERROR')
    return 'The coordinator could not carry out the request; its log says why. Repeat it, or run "drover doctor"';
  return error.message;
}

function sentence({ message, path }: { message: string; path: unknown[] }): string {
  return message.startsWith('The ') || path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
