/** Does due work when a scheduler asks: for places without a living process that has a timer. */
import { Hono } from 'hono';
import { sha256 } from '../context/sha256.ts';
import type { Context } from '../context/context.ts';
import { bearerSha256 } from '../context/bearer.ts';

/** Milliseconds of one tick by default, and at most: shorter than common limits of functions. */
const BUDGET_MS = 5_000;
const BUDGET_MS_MAX = 25_000;

export interface TickParts {
  readonly ctx: Pick<Context, 'log'>;
  /** Does due work for `budgetMs` milliseconds. @returns the number of rows done. */
  readonly tick: (budgetMs: number) => Promise<number>;
  /** Secret that a scheduler shows; undefined: no scheduler may ask. */
  readonly tickSecret: string | undefined;
}

/**
 * Serves `POST /internal/tick?budget=MILLISECONDS`: with the secret as bearer token it answers `{ done }`, the number of rows done. Any
 * number of ticks may run at once.
 */
export function tickRoute({ ctx, tick, tickSecret }: TickParts): Hono {
  const app = new Hono();
  app.post('/tick', async (http) => {
    // Digests are compared, so the time of the comparison says nothing of the secret.
    const isKnown = tickSecret !== undefined && bearerSha256(http.req.header('authorization')) === sha256(tickSecret);
    if (!isKnown)
      return http.json(
        { code: 'unauthorized', message: 'The scheduler must send the value of DROVER_TICK_SECRET' },
        401,
      );
    const budget = http.req.query('budget') ?? String(BUDGET_MS);
    if (!/^\d{1,6}$/u.test(budget) || Number(budget) > BUDGET_MS_MAX) {
      const message = `budget: expected milliseconds from 0 to ${BUDGET_MS_MAX}, such as ${BUDGET_MS}`;
      return http.json({ code: 'bad-request', message }, 400);
    }
    const done = await tick(Number(budget));
    ctx.log('debug', `A tick did ${done} row(s) of due work`);
    return http.json({ done });
  });
  return app;
}
