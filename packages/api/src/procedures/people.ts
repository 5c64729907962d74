/** The procedures of people, tokens and the audit. */
import { addPersonInput, linkPersonInput, mailPersonInput, removePersonInput } from '../channels.ts';
import { auditListInput, auditVerifyInput, createTokenInput, editTokenInput, revokeTokenInput } from '../people.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `audit`. */
export const auditProcedures = {
  list: route('audit.list')
    .input(auditListInput)
    .query(({ ctx, input }) => ctx.fleet.listAudit(input, known(ctx))),
  verify: route('audit.verify')
    .input(auditVerifyInput)
    .mutation(({ ctx, input }) => ctx.fleet.verifyAudit(input, known(ctx))),
};

/** Under `tokens`. */
export const tokenProcedures = {
  list: route('tokens.list').query(({ ctx }) => ctx.fleet.listTokens(known(ctx))),
  create: route('tokens.create')
    .input(createTokenInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.createToken(input, known(ctx)))),
  edit: route('tokens.edit')
    .input(editTokenInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.editToken(input, known(ctx)))),
  revoke: route('tokens.revoke')
    .input(revokeTokenInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.revokeToken(input, known(ctx)))),
};

/** Under `people`. */
export const peopleProcedures = {
  list: route('people.list').query(({ ctx }) => ctx.fleet.listPeople(known(ctx))),
  add: route('people.add')
    .input(addPersonInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.addPerson(input, known(ctx)))),
  link: route('people.link')
    .input(linkPersonInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.linkPerson(input, known(ctx)))),
  mail: route('people.mail')
    .input(mailPersonInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.mailPerson(input, known(ctx)))),
  remove: route('people.remove')
    .input(removePersonInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.removePerson(input, known(ctx)))),
};
