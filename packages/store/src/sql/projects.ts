// Projects, read and written.
import { compiledOnce } from '../connection/compiled.ts';
import { sql } from 'kysely';
import { send } from '../connection/pipeline.ts';
import type { Trust } from '@drover/core';
import type { NewProject, Project } from '../port/projects.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Db, Trx } from './db.ts';
import { change, find, insertion, LOCK, one, setting } from './steps/rows.ts';

const READ = columnsWithout('projects', 'createdAt', 'removedAt');

/** Reads a project, also a removed one. @returns null when there is none. */
export async function readProject(db: Db, id: string): Promise<Project | null> {
  const { rows } = await db.executeQuery(readOne(db, { id }));
  return rows[0] ?? null;
}

const readOne = compiledOnce((db: Db, { id }: { readonly id: string }) =>
  db.selectFrom('projects').select(READ).where('id', '=', id),
);

/** Locks the row until the end of the transaction. Null where the project is removed. */
export async function lockProject(db: Trx, id: string): Promise<Project | null> {
  return find(db, 'projects', { id, removedAt: null }, { columns: READ, end: LOCK });
}

/** The same by its name. */
export async function lockProjectNamed(db: Trx, name: string): Promise<Project | null> {
  return find(db, 'projects', { name, removedAt: null }, { columns: READ, end: LOCK });
}

/** Lists projects that are not removed, by name. */
export async function listProjects(db: Db): Promise<readonly Project[]> {
  return db.selectFrom('projects').select(READ).where('removedAt', 'is', null).orderBy('name').execute();
}

/** Removes a project: it is listed no more and takes no workers; its history stays. The caller holds the lock of the project. */
export async function removeProject(db: Trx, id: string, now: number): Promise<void> {
  await send(db, change('projects', { id }, { removedAt: now }));
}

/** Adds the project, changes the one of its name, or brings a removed one of its name back. */
export async function saveProject(db: Db, project: NewProject, now: number): Promise<Project> {
  const { source, root, defaultBranch, config } = project;
  const again = setting('projects', { source, root, defaultBranch, config, removedAt: null });
  const end = sql`on conflict (name) do update set ${again} returning ${sql.join(READ.map((name) => sql.ref(name)))}`;
  const row = { ...project, mergeWorkerId: null, trust: {}, createdAt: now };
  return one(db, insertion('projects', [row], end));
}

/** Exports `saveProject` for use by itself. */
export { saveProject as upsertProject };

/** Gives the merge lease to a worker, or with null back. The caller holds the project's lock. */
export async function setMergeWorker(db: Trx, projectId: string, workerId: string | null): Promise<void> {
  await send(db, change('projects', { id: projectId }, { mergeWorkerId: workerId }));
}

/** Saves a person's decision on each kind of trust. The caller holds the project's lock. */
export async function setTrust(db: Trx, projectId: string, trust: Trust): Promise<void> {
  await send(db, change('projects', { id: projectId }, { trust }));
}
