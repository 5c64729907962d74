// With which numbers does the recovery policy run here?
import { DEFAULT_POLICY, policyWith } from '@drover/core';
import type { Policy } from '@drover/core';
import type { Config } from './schema.ts';

/** The policy with the changes of `[policy]`, which were checked when the configuration was read. */
export function policyOf(config: Config): Policy {
  const outcome = policyWith(config.policy);
  return outcome.kind === 'ok' ? outcome.policy : DEFAULT_POLICY;
}
