/** Lists the agent profiles that a worker may have. */
import type { ProfileView } from '@drover/api';
import { BUILT_IN_DOCUMENTS } from '@drover/screen';
import type { Context } from '../../context/context.ts';

/** Lists profiles of the build and of the fleet; the fleet's wins where both have a name. */
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
