/** Operations on agent profiles. */
import { putProfileInput, removeProfileInput } from '../profiles.ts';
import { mutation, ok, query } from './define.ts';

export const profileOperations = {
  'profiles.list': query('viewer', 'project', {
    handle: async ({ fleet }) => ok(await fleet.listProfiles()),
  }),
  'profiles.put': mutation('admin', 'fleet', {
    input: putProfileInput,
    handle: ({ fleet, actor, input }) => fleet.putProfile(input, actor),
  }),
  'profiles.remove': mutation('admin', 'fleet', {
    input: removeProfileInput,
    handle: ({ fleet, actor, input }) => fleet.removeProfile(input, actor),
  }),
};
