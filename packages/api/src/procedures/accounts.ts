/** The procedures of accounts. */
import { known, route } from './route.ts';

/** `accounts`. */
export const accountsProcedure = route('accounts').query(({ ctx }) => ctx.fleet.listAccounts(known(ctx)));
