/** Operations on people and tokens, and on browsers that are signed in. */
import {
  addPersonInput,
  editPersonInput,
  linkPersonInput,
  mailPersonInput,
  personView,
  removePersonInput,
} from '../channels.ts';
import { createTokenInput, editTokenInput, revokeTokenInput, tokenView } from '../people.ts';
import type { SessionView } from '../session/session.ts';
import { changesOf, defineV1, listOf, page, pageOf } from '../v1/route.ts';
import { mutation, ok, publicOnly, query } from './define.ts';
import { z } from 'zod';

const token = tokenView.meta({ id: 'Token' });
const person = personView.meta({ id: 'Person' });

export const peopleOperations = {
  'session.show': query('viewer', 'project', {
    handle: async ({ fleet, actor: { name, role, project } }) => {
      const { version } = await fleet.info();
      return ok<SessionView>({ name, role, project, version });
    },
  }),
  'session.ticket': mutation('viewer', 'project', {
    isSecret: true,
    handle: ({ fleet, actor }) => Promise.resolve(ok(fleet.signInTicket(actor))),
  }),
  'tokens.list': query('admin', 'fleet', {
    handle: async ({ fleet, actor }) => ok(await fleet.listTokens(actor)),
    v1: {
      'GET /v1/tokens': defineV1({
        summary: 'Lists the tokens. Their secrets are not stored.',
        query: z.strictObject(page),
        answer: listOf(token),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { limit, after } }) =>
          pageOf(await fleet.listTokens(actor), { limit, after, key: ({ id }) => id }),
      }),
    },
  }),
  'tokens.create': mutation('admin', 'fleet', {
    isSecret: true,
    input: createTokenInput,
    handle: ({ fleet, actor, input }) => fleet.createToken(input, actor),
    v1: {
      'POST /v1/tokens': defineV1({
        summary: 'Makes a token. Its secret is shown only once.',
        body: z.strictObject(createTokenInput.shape),
        answer: z.object({ secret: z.string(), token }),
        problems: ['not-found'],
        conflicts: ['name-taken'],
      }),
    },
  }),
  'tokens.edit': mutation('admin', 'fleet', {
    input: editTokenInput,
    handle: ({ fleet, actor, input }) => fleet.editToken(input, actor),
    v1: {
      'PATCH /v1/tokens/{name}': defineV1({
        summary: 'Changes when a token expires, counted from now. Null: it is valid until it is revoked.',
        params: z.strictObject({ name: editTokenInput.shape.name }),
        body: z.strictObject({ expiresInMs: editTokenInput.shape.expiresInMs }),
        answer: token,
        problems: ['not-found'],
        conflicts: ['last-admin'],
      }),
    },
  }),
  'tokens.revoke': mutation('admin', 'fleet', {
    input: revokeTokenInput,
    handle: ({ fleet, actor, input }) => fleet.revokeToken(input, actor),
    v1: {
      'DELETE /v1/tokens/{name}': defineV1({
        summary: 'Revokes a token, except the one of the request and the last one of an admin.',
        params: z.strictObject({ name: revokeTokenInput.shape.name }),
        answer: token,
        problems: ['not-found'],
        conflicts: ['own-token', 'last-admin'],
        handle: ({ fleet, actor, params: { name } }) => fleet.revokeToken({ name, own: false, force: false }, actor),
      }),
    },
  }),
  'people.list': query('admin', 'fleet', {
    handle: async ({ fleet, actor }) => ok(await fleet.listPeople(actor)),
    v1: {
      'GET /v1/people': defineV1({
        summary: 'Lists the people, with their chat accounts and the places where they are asked.',
        query: z.strictObject(page),
        answer: listOf(person),
        problems: ['cursor-lost'],
        handle: async ({ fleet, actor, query: { limit, after } }) =>
          pageOf(await fleet.listPeople(actor), { limit, after, key: ({ id }) => id }),
      }),
    },
  }),
  'people.add': mutation('admin', 'fleet', {
    input: addPersonInput,
    handle: ({ fleet, actor, input }) => fleet.addPerson(input, actor),
    v1: {
      'POST /v1/people': defineV1({
        summary: 'Adds a person.',
        body: z.strictObject(addPersonInput.shape),
        answer: person,
        problems: ['not-found'],
        conflicts: ['name-taken'],
      }),
    },
  }),
  'people.edit': publicOnly({
    kind: 'mutation',
    role: 'admin',
    scope: 'fleet',
    v1: {
      'PATCH /v1/people/{name}': defineV1({
        summary: 'Gives a person another role or project. What they may do changes at once, in chats too.',
        params: z.strictObject({ name: editPersonInput.shape.name }),
        body: changesOf(editPersonInput.omit({ name: true })),
        answer: person,
        problems: ['not-found'],
        handle: ({ fleet, actor, params: { name }, body }) => fleet.editPerson({ name, ...body }, actor),
      }),
    },
  }),
  'people.link': mutation('admin', 'fleet', {
    isSecret: true,
    input: linkPersonInput,
    handle: ({ fleet, actor, input }) => fleet.linkPerson(input, actor),
    v1: {
      'POST /v1/people/{name}/link': defineV1({
        summary: 'Makes a code with which a person links a chat to themselves. It is shown only once.',
        params: z.strictObject(linkPersonInput.shape),
        answer: z.object({ person, code: z.string(), expiresAt: z.number() }),
      }),
    },
  }),
  'people.mail': mutation('admin', 'fleet', {
    input: mailPersonInput,
    handle: ({ fleet, actor, input }) => fleet.mailPerson(input, actor),
    v1: {
      'POST /v1/people/{name}/mail': defineV1({
        summary: 'Sets the mail address for questions to a person. Links in the mail answer as that person.',
        params: z.strictObject({ name: mailPersonInput.shape.name }),
        body: z.strictObject({ address: mailPersonInput.shape.address }),
        answer: person,
        problems: ['not-found'],
        conflicts: ['taken'],
      }),
    },
  }),
  'people.remove': mutation('admin', 'fleet', {
    input: removePersonInput,
    handle: ({ fleet, actor, input }) => fleet.removePerson(input, actor),
    v1: {
      'DELETE /v1/people/{name}': defineV1({
        summary: 'Removes a person: their chats get no questions and lose access.',
        params: z.strictObject(removePersonInput.shape),
        answer: person,
        problems: ['not-found'],
      }),
    },
  }),
};
