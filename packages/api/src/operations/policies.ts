/** Operations on the recovery policy. */
import { policyDiffInput, policyShowInput, replayInput } from '../policies.ts';
import { query } from './define.ts';

export const policyOperations = {
  'policy.show': query('viewer', 'project', {
    input: policyShowInput,
    handle: ({ fleet, actor, input }) => fleet.showPolicy(input, actor),
  }),
  'policy.diff': query('viewer', 'project', {
    input: policyDiffInput,
    handle: ({ fleet, actor, input }) => fleet.diffPolicies(input, actor),
  }),
  'policy.replay': query('viewer', 'project', {
    input: replayInput,
    handle: ({ fleet, actor, input }) => fleet.replay(input, actor),
  }),
};
