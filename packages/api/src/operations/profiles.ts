/** Operations on agent profiles. */
import { adoptProfileInput, profileInput, putProfileInput } from '../profiles.ts';
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
    input: profileInput,
    handle: ({ fleet, actor, input }) => fleet.removeProfile(input, actor),
  }),
  'profiles.adopt': mutation('admin', 'fleet', {
    input: adoptProfileInput,
    handle: ({ fleet, actor, input }) => fleet.adoptProfile(input, actor),
  }),
  'profiles.rollback': mutation('admin', 'fleet', {
    input: profileInput,
    handle: ({ fleet, actor, input }) => fleet.rollBackProfile(input, actor),
  }),
};
