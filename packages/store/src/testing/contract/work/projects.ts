// Projects: the tests that every store passes.
import { expect, test } from 'vitest';
import type { OpenStore } from '../open-store.ts';
import { id, seeded } from '../seeds.ts';

/** Declares the tests; `open` gives each its own store. */
export function projectContract(open: OpenStore): void {
  test('given a project, when it is removed and saved again, then it is hidden meanwhile, and keeps its id', async () => {
    await using given = await open();
    const { store } = given;
    const { projectId } = await seeded(store);
    const [project] = await store.listProjects();
    if (project === undefined) throw new Error('no project');

    const locked = await store.transaction((tx) => tx.lockProjectNamed('demo'));
    await store.transaction((tx) => tx.removeProject(projectId, 2));
    const hidden = await store.transaction(async (tx) => [
      await tx.lockProject(projectId),
      await tx.lockProjectNamed('demo'),
      (await tx.readProject(projectId))?.name,
    ]);
    const listed = await store.listProjects();
    await store.transaction((tx) => tx.setTrust(projectId, { mise: true, direnv: false }));
    const back = await store.transaction((tx) => tx.saveProject({ ...project, id: id(), source: '/other' }, 3));

    expect(locked).toEqual(project);
    expect(hidden).toEqual([null, null, 'demo']);
    expect(listed).toEqual([]);
    expect(back).toEqual({ ...project, source: '/other', trust: { mise: true, direnv: false } });
    expect(await store.listProjects()).toEqual([back]);
    expect(await store.transaction((tx) => tx.lockProject(projectId))).toEqual(back);
    expect(await store.transaction((tx) => tx.lockProjectNamed('nobody'))).toBeNull();
  });
}
