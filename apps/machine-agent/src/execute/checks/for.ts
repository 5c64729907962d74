/** Runs the project's checks on a candidate of another machine, because the project names this one in `repo.validate_on`. */
import { join } from 'node:path';
import type { Query, QueryResult } from '@drover/protocol';
import { forgetChecked, takeForChecks } from '@drover/worktree';
import { CommandError } from '../../failure.ts';
import { checksOf } from './required.ts';
import { bringProject } from '../commands/prepare.ts';
import { checkInLanding } from '../commands/validate.ts';
import { depotPlaceOf } from '../depot-of.ts';
import type { CommandContext } from '../tools.ts';
import { openPlaceOf } from '../worktree-of.ts';

type CheckFor = Extract<Query, { kind: 'check-for' }>;

/** Checks in the landing worktree, as for work of this machine. @throws CommandError with advice. */
export async function checkFor(context: CommandContext, query: CheckFor): Promise<QueryResult> {
  const { cages, settings } = context;
  if (cages.holds(settings))
    throw new CommandError(
      'isolated',
      `this machine isolates workers such as "${settings.name}", whose checks run apart`,
    );
  const { commit, tree } = query;
  await bringProject(context);
  const taken = await take(context, query);
  if (taken.kind === 'incomplete') return { kind: 'checks-ended', outcome: { kind: 'incomplete' } };
  if (taken.kind === 'damaged')
    throw new CommandError('parcel-damaged', `The parcel is damaged: ${taken.why}`, { retry: true });
  const checks = await checksOf(context);
  const outcome = await checkInLanding(context, { at: { head: commit, tree }, checks });
  await forgetChecked(openPlaceOf(context).git, depotPlaceOf(context));
  return { kind: 'checks-ended', outcome };
}

async function take(
  context: CommandContext,
  { from, sha256, bytes, commit }: CheckFor,
): ReturnType<typeof takeForChecks> {
  const { host, parcels, commandId: id, signal } = context;
  const { git } = openPlaceOf(context);
  const place = depotPlaceOf(context);
  if (sha256 === null) return takeForChecks(git, place, { commit, arrived: null });
  const path = join(parcels.spool, `${id}.${sha256}`);
  try {
    await parcels.fetch({ path, sha256, bytes }, { from, signal });
    const arrived = { spool: parcels.spool, id, sha256Of: host.sha256, file: { path, sha256, bytes } };
    return await takeForChecks(git, place, { commit, arrived });
  } finally {
    for (const left of [path, `${path}.part`]) await host.removeFile(left);
  }
}
