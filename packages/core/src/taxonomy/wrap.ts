/** Turns anything that was thrown or returned into rows of the error log, with nothing lost. */

import { codeForAgentError, codeForExit } from './agent-codes.ts';
import { ERRORS } from './codes.ts';
import type { ErrorContext } from './definition.ts';
import { type ErrorRecord, makeError } from './record.ts';
import { codeOfFailure } from './foreign-codes.ts';
import { isErrorRecord, isTroubledAgent, numberAt, stringAt, textOf, type TroubledAgent, valueAt } from './unknown.ts';

/** Number of causes that are followed. Longer chains are frameworks wrapping themselves, and cycles exist. */
const CAUSES_MAX = 5;

/** Longest text kept of one error; a screen or a query may hang on it. */
const DETAILS_CHARS_MAX = 8_000;

/** Component that noticed the thrown value, the time, and the subject. */
export interface WrapOptions {
  /** Component that noticed the error. The component also decides the code of an unnamed failure: in `store` a database error. */
  readonly component: string;
  readonly now: number;
  /** Gives a new id for each row: one for the error and one for each of its causes. */
  readonly id: () => string;
  readonly context?: ErrorContext;
}

/** Row for the caught error, and the rows for its causes, nearest first. Store all; each names its cause by id. */
export interface WrappedError {
  readonly error: ErrorRecord;
  readonly causes: readonly ErrorRecord[];
}

/**
 * Turns anything into error rows: an Error with its chain of causes, an errno error of Node, a database error, the
 * state of an agent, a row that was made before, a string, or nonsense. Never throws.
 */
export function wrapError(thrown: unknown, options: WrapOptions): WrappedError {
  const chain = causeChain(thrown);
  const rows: ErrorRecord[] = [];
  for (const link of chain.toReversed()) rows.unshift(rowFor(link, { options, cause: rows[0]?.id ?? null }));
  const [error, ...causes] = rows;
  return { error: error ?? rowFor(thrown, { options, cause: null }), causes };
}

function causeChain(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  let link = thrown;
  while (chain.length <= CAUSES_MAX && !chain.includes(link)) {
    chain.push(link);
    const next = causeOf(link);
    if (next === undefined) break;
    link = next;
  }
  return chain;
}

/** Returns the `cause` of an error, or the first error of several that happened together; a finished row stands for itself. */
function causeOf(link: unknown): unknown {
  if (!(link instanceof Error)) return undefined;
  const cause = valueAt(link, 'cause');
  if (cause !== undefined && cause !== null) return cause;
  const errors = valueAt(link, 'errors');
  return Array.isArray(errors) ? errors[0] : undefined;
}

function rowFor(link: unknown, { options, cause }: { options: WrapOptions; cause: string | null }): ErrorRecord {
  if (isErrorRecord(link)) return link;
  if (isTroubledAgent(link)) return rowForAgent(link, options);
  const { component, now } = options;
  const code = codeOfFailure(link, component);
  const said = textOf(link);
  const known = withFacts(link, options.context ?? {});
  const context: ErrorContext = known.said === undefined ? { ...known, said: firstLine(said) } : known;
  return makeError(code, {
    id: options.id(),
    now,
    component,
    context,
    // A user error carries words made for the user; all others get the words of the taxonomy.
    ...(ERRORS[code].category === 'USER_ERROR' && said !== '' ? { message: said } : {}),
    details: said.slice(0, DETAILS_CHARS_MAX),
    stack: (stringAt(link, 'stack') ?? null)?.slice(0, DETAILS_CHARS_MAX) ?? null,
    cause,
  });
}

function rowForAgent(state: TroubledAgent, { component, now, id, context = {} }: WrapOptions): ErrorRecord {
  switch (state.kind) {
    case 'error':
      return makeError(codeForAgentError(state.error, state.text), {
        id: id(),
        now,
        component,
        context: { ...context, said: firstLine(state.text) },
        details: state.text.slice(0, DETAILS_CHARS_MAX),
      });
    case 'exited':
      return makeError(codeForExit(state) ?? 'AGENT_CRASHED', {
        id: id(),
        now,
        component,
        context: {
          ...context,
          ...(state.status === null ? {} : { exitStatus: state.status }),
          ...(state.signal === null ? {} : { signal: state.signal }),
        },
      });
    case 'permission':
    case 'question':
    case 'dialog':
      return makeError('AGENT_BLOCKED', {
        id: id(),
        now,
        component,
        context: { ...context, said: state.dialog.title },
      });
  }
}

/** Takes path and program from an errno error, unless the caller named them. */
function withFacts(link: unknown, context: ErrorContext): ErrorContext {
  const path = stringAt(link, 'path');
  const program = /^spawn (\S+)/.exec(stringAt(link, 'syscall') ?? '')?.[1];
  const exitStatus = numberAt(link, 'exitCode');
  return {
    ...(program !== undefined ? { program } : path !== undefined ? { path } : {}),
    ...(exitStatus === undefined ? {} : { exitStatus }),
    ...context,
  };
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 300);
}
