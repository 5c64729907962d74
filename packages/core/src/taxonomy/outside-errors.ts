/** Defines errors outside Drover: model providers, networks, and requests of people. */

import type { ErrorContext, ErrorDefinition } from './definition.ts';
import { capital, duration, NETWORK_CHECKS, nextTry, theAgent, withWords, workerCommand } from './wording.ts';

const TRANSIENT = {
  category: 'EXTERNAL_ERROR',
  severity: 'error',
  kind: 'transient',
  recoverable: true,
  retryable: true,
} as const;

/** Fields of errors that are reported to the caller; nothing is recovered, because only the caller can ask for something else. */
const REFUSED = {
  category: 'USER_ERROR',
  severity: 'error',
  kind: 'fatal',
  recoverable: false,
  retryable: false,
} as const;

/** The errors of providers and networks, by code. */
export const EXTERNAL_ERRORS = {
  RATE_LIMITED: {
    ...TRANSIENT,
    severity: 'warning',
    message: (about) => `${capital(theAgent(about))} has reached a rate limit of its provider.${pauseWords(about)}`,
    remediation: () => [
      'Nothing to do: Drover waits and continues.',
      'Run fewer workers on this account, or add an account.',
    ],
  },
  USAGE_LIMIT: {
    ...TRANSIENT,
    severity: 'warning',
    message: (about) => withWords(`The account of ${theAgent(about)} has used up its quota`, about) + pauseWords(about),
    remediation: (about) => [
      'Nothing to do: Drover resumes all workers of this account when the limit resets.',
      `Give ${about.worker ?? 'the worker'} a profile with another account to continue now.`,
    ],
  },
  AGENT_API_ERROR: {
    ...TRANSIENT,
    message: (about) => withWords(`The provider of ${theAgent(about)} answered with an error`, about) + nextTry(about),
    remediation: (about) => [workerCommand('attach', about), 'Check the status page of the provider.'],
  },
  SERVER_OVERLOADED: {
    ...TRANSIENT,
    message: (about) => `The provider of ${theAgent(about)} is overloaded.${nextTry(about)}`,
    remediation: () => ['Nothing to do: Drover waits and continues.', 'Check the status page of the provider.'],
  },
  NETWORK_ERROR: {
    ...TRANSIENT,
    message: (about) => withWords(`A network connection${of(about)} failed`, about) + nextTry(about),
    remediation: () => [NETWORK_CHECKS, 'drover doctor'],
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The errors of callers, by code. */
export const USER_ERRORS = {
  INVALID_ARGUMENT: {
    ...REFUSED,
    message: (about) =>
      withWords(`The value of ${about.argument ?? 'an argument'} is not valid${expected(about)}`, about),
    remediation: () => ['drover help', 'drover project check'],
  },
} as const satisfies Record<string, ErrorDefinition>;

function pauseWords({ retryInMs }: ErrorContext): string {
  return retryInMs === undefined ? '' : ` Drover waits ${duration(retryInMs)}.`;
}

function of({ machine }: ErrorContext): string {
  return machine === undefined ? '' : ` of machine "${machine}"`;
}

function expected(about: ErrorContext): string {
  return about.expected === undefined ? '' : `; expected ${about.expected}`;
}
