/** Replaces agent profiles of the fleet without a release, and checks them before use. */
import type { Actor, Outcome, ProfileFleet, ProfileView } from '@drover/api';
import { loadProfile } from '@drover/screen';
import { audited, sumOf } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { listProfiles } from '../../facts/workers/profiles.ts';
import type { Context } from '../../context/context.ts';

export function createProfileFleet(ctx: Context): ProfileFleet {
  return {
    listProfiles: () => listProfiles(ctx),
    putProfile: ({ document }, by) => putProfile(ctx, document, by),
    removeProfile: ({ name }, by) => removeProfile(ctx, name, by),
  };
}

/** Checks the document, then gives it to every machine at its next sync. */
async function putProfile(ctx: Context, document: unknown, by: Actor): Promise<Outcome<ProfileView>> {
  const loaded = loadProfile(document);
  if (loaded.kind === 'invalid') {
    const problems = loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return { kind: 'refused', code: 'invalid', message: `The profile is not valid: ${problems}` };
  }
  const { id: name } = loaded.profile;
  const revision = await replace(ctx, { name, document, by });
  ctx.log('info', `${by.name} replaced the agent profile "${name}"`, { revision });
  return { kind: 'ok', value: { name, origin: 'fleet', revision } };
}

/** Removes a document: the build's own profile of that name holds again, if there is one. */
async function removeProfile(ctx: Context, name: string, by: Actor): Promise<Outcome<ProfileView>> {
  const { documents } = await ctx.store.readProfiles();
  if (!documents.some((one) => one.name === name)) {
    const own = documents.map((one) => one.name).join(', ');
    const message = `The fleet has no profile "${name}" of its own; ${own === '' ? 'there are none' : `there are: ${own}`}`;
    return { kind: 'refused', code: 'not-found', message };
  }
  const revision = await replace(ctx, { name, document: null, by });
  ctx.log('info', `${by.name} removed the agent profile "${name}"`, { revision });
  return { kind: 'ok', value: { name, origin: 'build', revision } };
}

function replace(
  ctx: Context,
  { name, document, by }: { name: string; document: unknown; by: Actor },
): Promise<number> {
  const now = ctx.clock.now();
  const action = document === null ? 'profile-removed' : 'profile-put';
  return ctx.store.transaction(async (tx) => {
    const revision = await tx.putProfile(name, document, now);
    const details = { revision, ...(document !== null && { sum: sumOf(document) }) };
    await tx.audit(audited({ at: now, by: causeOf(by), action, about: `profile ${name}`, details }));
    return revision;
  });
}
