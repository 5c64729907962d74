/** Who may do what, and who did what, in the public API: people, tokens, silences, the audit. */
import { z } from 'zod';
import {
  addPersonInput,
  editPersonInput,
  linkPersonInput,
  mailPersonInput,
  personView,
  removePersonInput,
} from '../channels.ts';
import { editSilenceInput, silenceInput, silenceView, unsilenceInput } from '../oncall.ts';
import {
  auditListInput,
  auditVerdict,
  auditVerifyInput,
  auditView,
  createTokenInput,
  editTokenInput,
  revokeTokenInput,
  tokenView,
} from '../people.ts';
import type { AuditListPlace } from '../people.ts';
import { changesOf, cursorBy, defineV1, listOf, ok, page, pageOf, pageUpTo, sinceMs } from './route.ts';
import type { Cursor } from './route.ts';

const token = tokenView.meta({ id: 'Token' });
const person = personView.meta({ id: 'Person' });
const silence = silenceView.meta({ id: 'Silence' });

const AUDIT_PLACE = /^(?<at>\d{1,15})\.(?<seq>\d{1,15})\.(?<chain>[!-~]{1,100})$/u;

/** The audit is sorted by time, then by its chains. */
function auditCursor(after: string | undefined): Cursor<AuditListPlace> {
  return cursorBy(after, AUDIT_PLACE, ({ at, seq, chain = '' }) => ({ at: Number(at), seq: Number(seq), chain }));
}

/** Under `/v1/tokens`, `/v1/people`, `/v1/silences` and `/v1/audit`. */
export const peopleRoutes = {
  'GET /v1/tokens': defineV1({
    access: 'tokens.list',
    summary: 'Lists the tokens. Their secrets are not stored.',
    query: z.strictObject(page),
    answer: listOf(token),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { limit, after } }) =>
      pageOf(await fleet.listTokens(actor), { limit, after, key: ({ id }) => id }),
  }),
  'POST /v1/tokens': defineV1({
    access: 'tokens.create',
    summary: 'Makes a token. Its secret is shown this once.',
    body: z.strictObject(createTokenInput.shape),
    answer: z.object({ secret: z.string(), token }),
    problems: ['not-found'],
    isSecret: true,
    conflicts: ['name-taken'],
    handle: ({ fleet, actor, body }) => fleet.createToken(body, actor),
  }),
  'PATCH /v1/tokens/{name}': defineV1({
    access: 'tokens.edit',
    summary: 'Gives a token another end, counted from now. Null: it is good until it is taken back.',
    params: z.strictObject({ name: editTokenInput.shape.name }),
    body: z.strictObject({ expiresInMs: editTokenInput.shape.expiresInMs }),
    answer: token,
    problems: ['not-found'],
    conflicts: ['last-admin'],
    handle: ({ fleet, actor, params: { name }, body }) => fleet.editToken({ name, ...body }, actor),
  }),
  'DELETE /v1/tokens/{name}': defineV1({
    access: 'tokens.revoke',
    summary: 'Takes a token back. The one that asks, and the last one of an admin, stay.',
    params: z.strictObject({ name: revokeTokenInput.shape.name }),
    answer: token,
    problems: ['not-found'],
    conflicts: ['own-token', 'last-admin'],
    handle: ({ fleet, actor, params: { name } }) => fleet.revokeToken({ name, own: false, force: false }, actor),
  }),
  'GET /v1/people': defineV1({
    access: 'people.list',
    summary: 'Lists the people, with who they are in chats and where they are asked.',
    query: z.strictObject(page),
    answer: listOf(person),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { limit, after } }) =>
      pageOf(await fleet.listPeople(actor), { limit, after, key: ({ id }) => id }),
  }),
  'POST /v1/people': defineV1({
    access: 'people.add',
    summary: 'Adds a person.',
    body: z.strictObject(addPersonInput.shape),
    answer: person,
    problems: ['not-found'],
    conflicts: ['name-taken'],
    handle: ({ fleet, actor, body }) => fleet.addPerson(body, actor),
  }),
  'PATCH /v1/people/{name}': defineV1({
    access: { kind: 'mutation', role: 'admin', scope: 'fleet' },
    summary: 'Gives a person another role or project. What they may do changes at once, in chats too.',
    params: z.strictObject({ name: editPersonInput.shape.name }),
    body: changesOf(editPersonInput.omit({ name: true })),
    answer: person,
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { name }, body }) => fleet.editPerson({ name, ...body }, actor),
  }),
  'POST /v1/people/{name}/link': defineV1({
    access: 'people.link',
    summary: 'Makes a code by which a person links a chat to themselves. It is shown this once.',
    params: z.strictObject(linkPersonInput.shape),
    answer: z.object({ person, code: z.string(), expiresAt: z.number() }),
    isSecret: true,
    handle: ({ fleet, actor, params }) => fleet.linkPerson(params, actor),
  }),
  'POST /v1/people/{name}/mail': defineV1({
    access: 'people.mail',
    summary: 'Says where a person gets mail about questions. Its links answer as that person.',
    params: z.strictObject({ name: mailPersonInput.shape.name }),
    body: z.strictObject({ address: mailPersonInput.shape.address }),
    answer: person,
    problems: ['not-found'],
    conflicts: ['taken'],
    handle: ({ fleet, actor, params: { name }, body: { address } }) => fleet.mailPerson({ name, address }, actor),
  }),
  'DELETE /v1/people/{name}': defineV1({
    access: 'people.remove',
    summary: 'Removes a person: their chats are told nothing any more and may ask for nothing.',
    params: z.strictObject(removePersonInput.shape),
    answer: person,
    problems: ['not-found'],
    handle: ({ fleet, actor, params }) => fleet.removePerson(params, actor),
  }),
  'GET /v1/silences': defineV1({
    access: 'oncall.show',
    summary: 'Lists the silences that are not over.',
    query: z.strictObject(page),
    answer: listOf(silence),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { limit, after } }) => {
      const found = (await fleet.showOncall(actor)).flatMap(({ silences }) => silences);
      const each = new Map(found.map((one) => [one.id, one]));
      return pageOf([...each.values()], { limit, after, key: ({ id }) => id });
    },
  }),
  'POST /v1/silences': defineV1({
    access: 'oncall.silence',
    summary: 'Makes no calls about some questions for a while. They can be answered as before.',
    body: z.strictObject(silenceInput.shape),
    answer: silence,
    problems: ['not-found'],
    handle: ({ fleet, actor, body, requestId }) => fleet.silence({ ...body, orderId: requestId }, actor),
  }),
  'PATCH /v1/silences/{id}': defineV1({
    access: { kind: 'mutation', role: 'operator', scope: 'project' },
    summary: 'Gives a silence another end, counted from now, or another reason.',
    params: z.strictObject({ id: editSilenceInput.shape.id }),
    body: changesOf(editSilenceInput.omit({ id: true })),
    answer: silence,
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { id }, body }) => fleet.editSilence({ id, ...body }, actor),
  }),
  'DELETE /v1/silences/{id}': defineV1({
    access: 'oncall.unsilence',
    summary: 'Ends a silence before its time.',
    params: z.strictObject(unsilenceInput.shape),
    answer: silence,
    problems: ['not-found'],
    handle: ({ fleet, actor, params: { id } }) => fleet.unsilence({ id }, actor),
  }),
  'GET /v1/audit': defineV1({
    access: 'audit.list',
    summary: 'Lists what was changed and by whom, newest first.',
    query: z.strictObject({ ...page, actor: auditListInput.shape.actor, sinceMs: sinceMs.optional() }),
    answer: listOf(auditView.meta({ id: 'AuditRow' })),
    problems: ['cursor-lost'],
    handle: async ({ fleet, actor, query: { after, limit, ...which } }) => {
      const cursor = auditCursor(after);
      if (cursor.kind === 'refused') return cursor;
      const listed = await fleet.listAudit({ ...which, limit: limit + 1, after: cursor.place }, actor);
      return ok(pageUpTo(listed, limit, ({ at, seq, chain }) => `${at}.${seq}.${chain}`));
    },
  }),
  'POST /v1/audit/verify': defineV1({
    access: 'audit.verify',
    summary: 'Checks the whole audit, and that the heads which were kept elsewhere are in it.',
    body: z.strictObject(auditVerifyInput.shape),
    bytesMax: 3 * 1_048_576,
    answer: auditVerdict.meta({ id: 'AuditVerdict' }),
    handle: async ({ fleet, actor, body }) => ok(await fleet.verifyAudit(body, actor)),
  }),
};
