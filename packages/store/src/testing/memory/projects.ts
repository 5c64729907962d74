// Projects in memory: the same as sql/projects.ts.
import type { NewProject, Project } from '../../port/projects.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** A project is known by its name; everything else follows its configuration. */
export function saveProject(db: MemoryDatabase, project: NewProject): Project {
  db.projects.lock(`unique ${project.name}`);
  const known = [...db.projects.values()].find(({ name }) => name === project.name);
  const row = { mergeWorkerId: null, ...known, ...project, trust: known?.trust ?? {}, id: known?.id ?? project.id };
  db.put(db.projects, row.id, row);
  if (db.removedProjects.has(row.id)) db.remove(db.removedProjects, row.id);
  return row;
}

/** Null where it is removed. */
export function lockProject(db: MemoryDatabase, id: string): Project | null {
  db.projects.lock(id);
  return db.removedProjects.has(id) ? null : (db.projects.get(id) ?? null);
}

/** The same by its name. */
export function lockProjectNamed(db: MemoryDatabase, name: string): Project | null {
  const named = [...db.projects.values()].find((one) => one.name === name);
  return named === undefined ? null : lockProject(db, named.id);
}

/** Removes a project: it is listed no more. */
export function removeProject(db: MemoryDatabase, id: string, now: number): void {
  db.put(db.removedProjects, id, { removedAt: now });
}

/** Lists all projects by name. */
export function listProjects(db: MemoryDatabase): readonly Project[] {
  const present = [...db.projects.values()].filter(({ id }) => !db.removedProjects.has(id));
  return present.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Changes a project, if it is there. */
export function changeProject(
  db: MemoryDatabase,
  id: string,
  patch: Partial<Pick<Project, 'mergeWorkerId' | 'trust'>>,
): void {
  const row = db.projects.get(id);
  if (row !== undefined) db.put(db.projects, id, { ...row, ...patch });
}
