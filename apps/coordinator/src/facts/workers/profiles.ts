/** Lists the agent profiles that a worker may have, and those that a machine should have. */
import type { ProfileView } from '@drover/api';
import type { ProfileSet } from '@drover/protocol';
import { BUILT_IN_DOCUMENTS } from '@drover/screen';
import type { Context } from '../../context/context.ts';

/** Lists profiles of the build and of the fleet; the fleet's wins where both have a name. */
export async function listProfiles({ store }: Context): Promise<readonly ProfileView[]> {
  const [{ documents }, machines] = await Promise.all([store.readProfiles(), store.listMachines()]);
  const kept = new Map(documents.map((one) => [one.name, one]));
  const built = new Set<string>(BUILT_IN_DOCUMENTS.map(({ id }) => id));
  const names = [...built, ...documents.flatMap(({ name, document }) => (document === null ? [] : [name]))];
  return [...new Set(names)].toSorted().map((name): ProfileView => {
    const { document = null, revision = 0, staged = null, former = null } = kept.get(name) ?? {};
    const on = machines.filter(({ labels }) => staged !== null && labels.includes(staged.label));
    return {
      name,
      origin: document === null ? 'build' : 'fleet',
      revision: document === null ? 0 : revision,
      staged: staged === null ? null : { label: staged.label, machines: on.length },
      canRollBack: staged !== null || former !== null,
    };
  });
}

/** Reads the profiles of the fleet for a machine: a change that is staged for one of its labels goes before what all have. */
export async function profilesFor({ store }: Context, machineId: string): Promise<ProfileSet> {
  // The revision comes first: labels that change meanwhile raise it, and the machine is told again.
  const { revision, documents } = await store.readProfiles();
  const labels = (await store.listMachines()).find(({ id }) => id === machineId)?.labels ?? [];
  const own = documents.map(({ name, document, staged }) => {
    const isStaged = staged !== null && labels.includes(staged.label);
    return { name, document: isStaged ? staged.document : document };
  });
  return { revision, documents: own.filter(({ document }) => document !== null) };
}
