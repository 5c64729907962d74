/** Changes agent profiles without a release: for the whole fleet, or first for machines with a label, and back. */
import type { Actor, Outcome, ProfileFleet, ProfileView } from '@drover/api';
import { BUILT_IN_DOCUMENTS, loadProfile } from '@drover/screen';
import type { FleetProfile } from '@drover/store';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { audited, sumOf } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { listProfiles } from '../../facts/workers/profiles.ts';

export function createProfileFleet(ctx: Context): ProfileFleet {
  return {
    listProfiles: () => listProfiles(ctx),
    putProfile: ({ document, label }, by) => putProfile(ctx, { document, label }, by),
    removeProfile: ({ name }, by) =>
      change(ctx, { name, by, action: 'profile-removed' }, (before, documents) =>
        before.document === null ? notOwn(documents, name) : next(before, null),
      ),
    adoptProfile: ({ name, label }, by) =>
      change(ctx, { name, by, action: 'profile-adopted', label }, ({ staged, ...before }) => {
        if (staged === null)
          return refused(
            'not-staged',
            `Nothing is staged for the profile "${name}": drover profile put FILE --label LABEL`,
          );
        const { document } = staged;
        return label === undefined ? next(before, document) : { ...before, staged: { document, label } };
      }),
    rollBackProfile: ({ name }, by) =>
      change(ctx, { name, by, action: 'profile-rolled-back' }, ({ document, staged, former }) => {
        if (staged !== null) return { document, staged: null, former };
        if (former === null)
          return refused('no-way-back', `The profile "${name}" has nothing to go back to: nobody has changed it since`);
        return { document: former.document, staged: null, former: null };
      }),
  };
}

/** Checks the document, then gives it to every machine, or to every one with the label, at its next sync. */
async function putProfile(
  ctx: Context,
  { document, label }: { readonly document: unknown; readonly label: string | undefined },
  by: Actor,
): Promise<Outcome<ProfileView>> {
  const loaded = loadProfile(document);
  if (loaded.kind === 'invalid') {
    const problems = loaded.problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
    return refused('invalid', `The profile is not valid: ${problems}`);
  }
  const { id: name } = loaded.profile;
  const isBuilt = BUILT_IN_DOCUMENTS.some(({ id }) => id === name);
  return change(ctx, { name, by, action: 'profile-put', label }, (before) => {
    if (label === undefined) return next(before, document);
    if (before.document === null && !isBuilt)
      return refused('invalid', `The profile "${name}" is new: no machine has another one, so put it without a label`);
    return { ...before, staged: { document, label } };
  });
}

/** Gives the whole fleet a document, and keeps the one before it. */
function next({ document: former }: Pick<FleetProfile, 'document'>, document: unknown): FleetProfile {
  return { document, staged: null, former: { document: former } };
}

function notOwn(documents: Documents, name: string): Extract<Outcome<never>, { kind: 'refused' }> {
  const own = documents.flatMap((one) => (one.document === null ? [] : [one.name])).join(', ');
  return refused(
    'not-found',
    `The fleet has no profile "${name}" of its own; ${own === '' ? 'there are none' : `there are: ${own}`}`,
  );
}

interface Change {
  readonly name: string;
  readonly by: Actor;
  readonly action: string;
  readonly label?: string | undefined;
}

type Documents = Awaited<ReturnType<Context['store']['readProfiles']>>['documents'];

type Changed = FleetProfile | Extract<Outcome<never>, { kind: 'refused' }>;

/** Saves a change with its line of the audit. */
async function change(
  ctx: Context,
  { name, by, action, label }: Change,
  decide: (before: FleetProfile, documents: Documents) => Changed,
): Promise<Outcome<ProfileView>> {
  const now = ctx.clock.now();
  const revision = await ctx.store.transaction(async (tx) => {
    // Two people may act at once: the second decides on what the first has left.
    await tx.lockName(`profile ${name}`);
    const { documents } = await tx.readProfiles();
    const { document = null, staged = null, former = null } = documents.find((one) => one.name === name) ?? {};
    const after = decide({ document, staged, former }, documents);
    if ('kind' in after) return after;
    const given = after.staged?.document ?? after.document;
    const put = await tx.putProfile(name, after, now);
    const details = {
      revision: put,
      ...(label !== undefined && { label }),
      ...(given !== null && { sum: sumOf(given) }),
    };
    await tx.audit(audited({ at: now, by: causeOf(by), action, about: `profile ${name}`, details }));
    return put;
  });
  if (typeof revision !== 'number') return revision;
  ctx.log('info', `${by.name} changed the agent profile "${name}": ${action}`, { revision });
  const view = (await listProfiles(ctx)).find((one) => one.name === name);
  const gone = { name, origin: 'build', revision, staged: null, canRollBack: true } as const;
  return { kind: 'ok', value: view ?? gone };
}
