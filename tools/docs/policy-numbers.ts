// Which words must docs/recovery.md hold so that it tells the numbers of the policy?
import { DEFAULT_POLICY, type Policy } from '@drover/core';

/** The page that tells the policy to people, from the repository's root. It is written by hand. */
export const RECOVERY_PAGE = 'docs/recovery.md';

/** One piece of text for each number of the policy. Runs of spaces count as one. */
export function policyWords(policy: Policy = DEFAULT_POLICY): readonly string[] {
  const { lostInput, command, ...others } = policy;
  const { timeoutMs, ...orders } = command;
  const rungs = lostInput.map(
    ({ waitMs, method, settleMs, respawn }, index) =>
      `| ${index + 1} | ${duration(waitMs)} | \`${method}\` | ${duration(settleMs)} | ${respawn ? 'yes' : 'no'} |`,
  );
  const limits = Object.entries(timeoutMs).map(([order, ms]) => `\`${order}\` ${duration(ms)}`);
  const numbers = leaves({ ...others, command: orders }).map(
    ([name, value]) => `| \`${name}\` | ${inWords(name, value)} |`,
  );
  return [...rungs, ...limits, ...numbers];
}

function leaves(tree: object, prefix = ''): readonly (readonly [string, number])[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    const name = `${prefix}${key}`;
    if (typeof value === 'number') return [[name, value] as const];
    return typeof value === 'object' && value !== null ? leaves(value, `${name}.`) : [];
  });
}

function inWords(name: string, value: number): string {
  return name.endsWith('Ms') ? duration(value) : String(value);
}

/** Up to two minutes in seconds, as the page says it. */
function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms <= 120_000) return `${ms / 1_000} s`;
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
}
