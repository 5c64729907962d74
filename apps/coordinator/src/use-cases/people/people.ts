/** Lists people, adds a person, makes a code that links a chat to a person, and removes a person. */
import type { Actor, Outcome, PeopleFleet, PersonView } from '@drover/api';
import type { PersonRow } from '@drover/store';
import { sha256 } from '../../context/sha256.ts';
import type { Context } from '../../context/context.ts';
import { refused } from '../../context/refused.ts';
import { EVERYTHING, readProjects } from '../../facts/workers/find.ts';
import { audited } from '../../facts/people/audit-rows.ts';
import { causeOf } from '../../facts/people/causes.ts';
import { codeOf, readCode } from '../../facts/people/codes.ts';

/** Channel of places that are addresses of mail. */
const EMAIL = 'email';
/** Milliseconds for which a code is valid. */
const CODE_TTL_MS = 600_000;

export function createPeopleFleet(ctx: Context): PeopleFleet {
  return {
    listPeople: async () => {
      const people = await ctx.store.listPeople();
      return Promise.all(people.map((person) => viewOfPerson(ctx, person)));
    },
    addPerson: (input, by) => add(ctx, input, by),
    editPerson: (input, by) => edit(ctx, input, by),
    linkPerson: (input, by) => link(ctx, input.name, by),
    mailPerson: (input, by) => setMail(ctx, input, by),
    removePerson: (input, by) => remove(ctx, input.name, by),
  };
}

async function add(
  ctx: Context,
  { name, role, project }: Parameters<PeopleFleet['addPerson']>[0],
  by: Actor,
): Promise<Outcome<PersonView>> {
  const { projects } = await readProjects(ctx, EVERYTHING);
  const within = projects.find((one) => one.name === project);
  if (project !== undefined && within === undefined) {
    const names = projects.map((one) => one.name).join(', ') || 'none yet';
    return refused('not-found', `There is no project "${project}"; there are: ${names}`);
  }
  const now = ctx.clock.now();
  const person: PersonRow = { id: ctx.ids.uuid(), name, role, projectId: within?.id ?? null, createdAt: now };
  const outcome = await ctx.store.transaction(async (tx) => {
    const inserted = await tx.insertPerson(person);
    const details = { id: person.id, role, project: project ?? null };
    if (inserted === 'inserted')
      await tx.audit(audited({ at: now, by: causeOf(by), action: 'person-added', about: `person ${name}`, details }));
    return inserted;
  });
  return outcome === 'inserted'
    ? { kind: 'ok', value: await viewOfPerson(ctx, person) }
    : refused('name-taken', `The person "${name}" already exists: link a chat with "drover user link ${name}"`);
}

async function edit(
  ctx: Context,
  { name, role, project }: Parameters<PeopleFleet['editPerson']>[0],
  by: Actor,
): Promise<Outcome<PersonView>> {
  const { projects } = await readProjects(ctx, EVERYTHING);
  const within = projects.find((one) => one.name === project);
  if (typeof project === 'string' && within === undefined) {
    const names = projects.map((one) => one.name).join(', ') || 'none yet';
    return refused('not-found', `There is no project "${project}"; there are: ${names}`);
  }
  const at = ctx.clock.now();
  const person = await ctx.store.transaction(async (tx) => {
    await tx.lockName(`person ${name}`);
    const known = await tx.findPersonByName(name);
    if (known === null) return null;
    const projectId = project === undefined ? known.projectId : (within?.id ?? null);
    const changed: PersonRow = { ...known, role: role ?? known.role, projectId };
    await tx.savePerson(changed);
    const details = { id: known.id, role: changed.role, projectId };
    await tx.audit(audited({ at, by: causeOf(by), action: 'person-changed', about: `person ${name}`, details }));
    return changed;
  });
  return person === null ? findPersonView(ctx, name) : { kind: 'ok', value: await viewOfPerson(ctx, person) };
}

async function link(ctx: Context, name: string, by: Actor): ReturnType<PeopleFleet['linkPerson']> {
  const now = ctx.clock.now();
  const code = codeOf(ctx.ids.secret());
  const expiresAt = now + CODE_TTL_MS;
  const fresh: PersonRow = { id: ctx.ids.uuid(), name, role: 'operator', projectId: null, createdAt: now };
  const person = await ctx.store.transaction(async (tx) => {
    await tx.lockName(`person ${name}`);
    const known = await tx.findPersonByName(name);
    if (known === null) await tx.insertPerson(fresh);
    const linked = known ?? fresh;
    await tx.insertLinkCode({ sha256: sha256(readCode(code)), personId: linked.id, expiresAt });
    const details = { id: linked.id, role: linked.role, added: known === null };
    await tx.audit(audited({ at: now, by: causeOf(by), action: 'link-code-made', about: `person ${name}`, details }));
    return linked;
  });
  return { kind: 'ok', value: { person: await viewOfPerson(ctx, person), code, expiresAt } };
}

/** Sets a person's only address. An address that steps name already becomes the person's. */
async function setMail(
  ctx: Context,
  { name, address }: Parameters<PeopleFleet['mailPerson']>[0],
  by: Actor,
): Promise<Outcome<PersonView>> {
  const found = await findPerson(ctx, name);
  if (found.kind === 'refused') return found;
  const person = found.value;
  const now = ctx.clock.now();
  const isTaken = await ctx.store.transaction(async (tx) => {
    await tx.lockName(`mail ${address ?? ''}`);
    const places = (await tx.listPlaces()).filter(({ channel }) => channel === EMAIL);
    if (places.some((one) => one.address === address && one.personId !== null && one.personId !== person.id))
      return true;
    for (const place of places)
      if (place.personId === person.id && place.address !== address) await tx.deletePlace(place);
    const { id: personId, projectId } = person;
    if (address !== null) await tx.savePlace({ channel: EMAIL, address, personId, projectId, createdAt: now });
    const details = { address };
    await tx.audit(audited({ at: now, by: causeOf(by), action: 'person-mail-set', about: `person ${name}`, details }));
    return false;
  });
  return isTaken
    ? refused('taken', `"${address}" belongs to another person: "drover user" says to whom`)
    : { kind: 'ok', value: await viewOfPerson(ctx, person) };
}

async function findPersonView(ctx: Context, name: string): Promise<Outcome<PersonView>> {
  const found = await findPerson(ctx, name);
  return found.kind === 'refused' ? found : { kind: 'ok', value: await viewOfPerson(ctx, found.value) };
}

async function findPerson(ctx: Context, name: string): Promise<Outcome<PersonRow>> {
  const people = await ctx.store.listPeople();
  const person = people.find((one) => one.name === name);
  if (person !== undefined) return { kind: 'ok', value: person };
  const names = people.map((one) => one.name).join(', ') || 'none';
  return refused('not-found', `There is no person "${name}"; there are: ${names}`);
}

async function remove(ctx: Context, name: string, by: Actor): Promise<Outcome<PersonView>> {
  const found = await findPerson(ctx, name);
  if (found.kind === 'refused') return found;
  const person = found.value;
  const view = await viewOfPerson(ctx, person);
  const now = ctx.clock.now();
  await ctx.store.transaction(async (tx) => {
    await tx.deletePerson(person.id);
    const details = { id: person.id, role: person.role };
    await tx.audit(audited({ at: now, by: causeOf(by), action: 'person-removed', about: `person ${name}`, details }));
  });
  return { kind: 'ok', value: view };
}

async function viewOfPerson({ store }: Context, person: PersonRow): Promise<PersonView> {
  const { id, name, role, projectId, createdAt } = person;
  const [identities, places, projects] = await Promise.all([
    store.listIdentities(),
    store.listPlaces(),
    store.listProjects(),
  ]);
  return {
    id,
    name,
    role,
    project: projectId === null ? null : (projects.find((one) => one.id === projectId)?.name ?? projectId),
    identities: identities.filter(({ personId }) => personId === id).map((one) => `${one.channel}:${one.subject}`),
    places: places.filter(({ personId }) => personId === id).map((one) => `${one.channel}:${one.address}`),
    createdAt,
  };
}
