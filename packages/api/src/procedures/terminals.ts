/** The procedures of terminals. */
import { terminalInput } from '../terminals/terminals.ts';
import { value } from './refused.ts';
import { known, route } from './route.ts';

/** Under `terminals`. Who may type, and who only watches, is a matter of roles: so there are two. */
export const terminalProcedures = {
  watch: route('terminals.watch')
    .input(terminalInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.openTerminal({ ...input, types: false }, known(ctx)))),
  type: route('terminals.type')
    .input(terminalInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.openTerminal({ ...input, types: true }, known(ctx)))),
  locate: route('terminals.locate')
    .input(terminalInput)
    .mutation(async ({ ctx, input }) => value(await ctx.fleet.locatePane(input, known(ctx)))),
};
