// Projects, read and written.
import type { Selectable } from 'kysely';
import { send } from '../connection/pipeline.ts';
import { instant, json } from '../connection/values.ts';
import type { Trust } from '@drover/core';
import type { NewProject, Project, ProjectConfig } from '../port/projects.ts';
import type { ProjectTable } from '../tables/projects.ts';
import type { Db } from './db.ts';

function toProject(row: Selectable<ProjectTable>): Project {
  return {
    id: row.id,
    name: row.name,
    source: row.source,
    root: row.root,
    defaultBranch: row.default_branch,
    config: row.config as ProjectConfig,
    mergeWorkerId: row.merge_worker_id,
    trust: row.trust as Trust,
  };
}

/** Reads a project, also a removed one. @returns null when there is none. */
export async function readProject(db: Db, id: string): Promise<Project | null> {
  const row = await db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

/** Holds a project until the transaction ends. @returns null when there is none, or it is removed. */
export async function lockProject(
  db: Db,
  which: { readonly column: 'id' | 'name'; readonly value: string },
): Promise<Project | null> {
  const query = db.selectFrom('projects').selectAll().where(which.column, '=', which.value);
  const row = await query.where('removed_at', 'is', null).forUpdate().executeTakeFirst();
  return row === undefined ? null : toProject(row);
}

/** All projects by name. */
export async function listProjects(db: Db): Promise<readonly Project[]> {
  const query = db.selectFrom('projects').selectAll().where('removed_at', 'is', null).orderBy('name');
  return (await query.execute()).map(toProject);
}

/** It is listed no more. */
export async function removeProject(db: Db, id: string, now: number): Promise<void> {
  await send(
    db,
    db
      .updateTable('projects')
      .set({ removed_at: instant(now) })
      .where('id', '=', id),
  );
}

/** A project is known by its name; everything else follows its configuration. */
export async function upsertProject(db: Db, project: NewProject, now: number): Promise<Project> {
  const known = {
    source: project.source,
    root: project.root,
    default_branch: project.defaultBranch,
    config: json<unknown>(project.config),
    removed_at: null,
  };
  const row = await db
    .insertInto('projects')
    .values({
      id: project.id,
      name: project.name,
      ...known,
      merge_worker_id: null,
      trust: json<unknown>({}),
      created_at: instant(now),
    })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(known))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toProject(row);
}

/** Gives the merge lease to a worker, or with null back. The caller holds the project's lock. */
export async function setMergeWorker(db: Db, projectId: string, workerId: string | null): Promise<void> {
  await send(db, db.updateTable('projects').set({ merge_worker_id: workerId }).where('id', '=', projectId));
}

/** Keeps what a person has said of each kind of trust. The caller holds the project's lock. */
export async function setTrust(db: Db, projectId: string, trust: Trust): Promise<void> {
  await send(
    db,
    db
      .updateTable('projects')
      .set({ trust: json<unknown>(trust) })
      .where('id', '=', projectId),
  );
}
