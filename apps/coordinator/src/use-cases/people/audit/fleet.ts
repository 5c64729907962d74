/** Lists the rows of the audit, and checks that every chain is whole. */
import type { AuditFleet, AuditHeadView, AuditVerdict, AuditView } from '@drover/api';
import type { AuditRow } from '@drover/store';
import { ChainCheck } from './verify.ts';
import type { Wrong } from './verify.ts';
import type { Context } from '../../../context/context.ts';

/** Rows in one read. */
const PAGE = 2_000;

export function createAuditFleet(ctx: Context): AuditFleet {
  return {
    listAudit: async ({ actor, sinceMs, limit, after }) => {
      const rows = await ctx.store.listAudit({
        limit,
        ...(after !== undefined && { after }),
        ...(actor !== undefined && { actor }),
        ...(sinceMs !== undefined && { since: ctx.clock.now() - sinceMs }),
      });
      return rows.map(auditView);
    },
    verifyAudit: ({ kept }) => verify(ctx, kept),
  };
}

/** Reads every row. Rows added meanwhile are checked too, or left for the next time. */
async function verify(ctx: Context, kept: readonly AuditHeadView[]): Promise<AuditVerdict> {
  const before = await ctx.store.auditHeads();
  const check = new ChainCheck([...before, ...kept]);
  let wrong: Wrong | null = null;
  let place: AuditRow | null = null;
  for (;;) {
    const page: readonly AuditRow[] = await ctx.store.auditPage(place, PAGE);
    for (const row of page) wrong ??= check.take(row);
    place = page.at(-1) ?? null;
    if (place === null || page.length < PAGE || wrong !== null) break;
  }
  const heads = await ctx.store.auditHeads();
  wrong ??= check.end(heads);
  return { rows: check.rows, chains: heads.length, wrong, heads: heads.map((one) => ({ ...one })) };
}

function auditView({ chain, seq, at, actor, body, hash }: AuditRow): AuditView {
  const { action, about, details } = parsed(body);
  return { chain, seq, at, actor, action, about, details, hash };
}

/** Parses a body. A row that was tampered with may hold anything. */
function parsed(body: string): { action: string; about: string; details: Record<string, unknown> } {
  try {
    const { action, about, details } = JSON.parse(body) as Record<string, unknown>;
    const isTable = typeof details === 'object' && details !== null;
    return { action: String(action), about: String(about), details: isTable ? { ...details } : {} };
  } catch {
    return { action: 'unreadable', about: '', details: {} };
  }
}
