/** Agent profiles of the fleet: replaced without a release, checked before anybody uses them. */
import type { Outcome, ProfileView } from '@drover/api';
import { BUILT_IN_DOCUMENTS, loadProfile } from '@drover/screen';
import type { Context } from './context.ts';

/** Those of the build, and those that were put here; the latter hold where both have a name. */
export async function listProfiles({ store }: Context): Promise<readonly ProfileView[]> {
  const { documents } = await store.readProfiles();
  const own = documents.map(({ name, revision }): ProfileView => ({ name, origin: 'fleet', revision }));
  const names = new Set(own.map(({ name }) => name));
  const built = BUILT_IN_DOCUMENTS.filter(({ id }) => !names.has(id)).map(({ id }): ProfileView => ({
    name: id,
    origin: 'build',
    revision: 0,
  }));
  return [...built, ...own].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Checks the document, then gives it to every machine at its next sync. */
export async function putProfile(ctx: Context, document: unknown): Promise<Outcome<ProfileView>> {
  const loaded = loadProfile(document);
  if (loaded.kind === 'invalid') {
    const problems = loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return { kind: 'refused', code: 'invalid', message: `Not a profile that can be used: ${problems}` };
  }
  const { id: name } = loaded.profile;
  const revision = await ctx.store.putProfile(name, document, ctx.clock.now());
  ctx.log('info', `The agent profile "${name}" was replaced`, { revision });
  return { kind: 'ok', value: { name, origin: 'fleet', revision } };
}

/** Takes a document back: the build's own profile of that name holds again, if there is one. */
export async function removeProfile(ctx: Context, name: string): Promise<Outcome<ProfileView>> {
  const { documents } = await ctx.store.readProfiles();
  if (!documents.some((one) => one.name === name)) {
    const own = documents.map((one) => one.name).join(', ');
    const message = `No profile "${name}" was put here; ${own === '' ? 'there are none' : `there are: ${own}`}`;
    return { kind: 'refused', code: 'not-found', message };
  }
  const revision = await ctx.store.putProfile(name, null, ctx.clock.now());
  return { kind: 'ok', value: { name, origin: 'build', revision } };
}
