/** Failures of tools that the hook of a simulated agent writes down: one for each known kind of action. */
import type { FailureAction } from '@drover/core';
import type { ToolFailureReport } from '@drover/core/tool-failures';
import type { SeededRandom } from '../random.ts';

type Kind = Pick<ToolFailureReport, 'class' | 'action' | 'evidence'>;

const RETRY: FailureAction = {
  kind: 'retry',
  attempt: 1,
  attemptsMax: 3,
  delayMs: 2_000,
  notBefore: 0,
  timeoutFactor: 1,
};

const KINDS: readonly Kind[] = [
  { class: 'network', action: RETRY, evidence: 'connect ECONNREFUSED' },
  { class: 'rate_limit', action: RETRY, evidence: 'HTTP 429 Too Many Requests' },
  { class: 'unknown', action: { kind: 'log' }, evidence: 'something went wrong' },
  { class: 'external', action: { kind: 'block', alert: 'The registry is down' }, evidence: 'HTTP 503' },
  {
    class: 'permission',
    action: { kind: 'escalate', title: 'Permission is missing', needed: 'write access', remediation: ['chmod u+w'] },
    evidence: 'EACCES: permission denied',
  },
  {
    class: 'syntax',
    action: {
      kind: 'queue',
      item: { priority: 'S0', title: 'A syntax error', details: 'a.ts:1', location: null },
    },
    evidence: "a.ts(1,1): error TS1005: ';' expected",
  },
];

/** Milliseconds for which a limit that a tool met holds. */
const LIMIT_MS = 15_000;

/** Picks a failure by chance. */
export function toolFailure(
  random: SeededRandom,
  { at, conversation }: { readonly at: number; readonly conversation: string },
): ToolFailureReport {
  const kind = random.pick(KINDS);
  const pauses = kind.class === 'rate_limit';
  return {
    ...kind,
    at,
    conversation,
    tool: 'Bash',
    name: 'npm',
    rule: 'simulated',
    phase: null,
    signature: kind.class,
    operation: `Bash:${kind.class}`,
    pauseAccount: pauses ? { service: 'api.anthropic.com', until: at + LIMIT_MS } : null,
  };
}
