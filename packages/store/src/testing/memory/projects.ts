// Projects in memory: the same as sql/projects.ts.
import type { NewProject, Project } from '../../port/projects.ts';
import type { MemoryDatabase } from './engine/database.ts';

/** A project is known by its name; everything else follows its configuration. */
export function upsertProject(db: MemoryDatabase, project: NewProject): Project {
  db.projects.lock(`unique ${project.name}`);
  const known = [...db.projects.values()].find(({ name }) => name === project.name);
  const row = { mergeWorkerId: null, ...known, ...project, id: known?.id ?? project.id };
  db.put(db.projects, row.id, row);
  return row;
}

/** All projects by name. */
export function listProjects(db: MemoryDatabase): readonly Project[] {
  return [...db.projects.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Changes a project, if it is there. */
export function changeProject(db: MemoryDatabase, id: string, patch: Partial<Pick<Project, 'mergeWorkerId'>>): void {
  const row = db.projects.get(id);
  if (row !== undefined) db.put(db.projects, id, { ...row, ...patch });
}
