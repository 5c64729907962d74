/** Operations on the audit log. */
import { auditListInput, auditVerdict, auditVerifyInput, auditView } from '../people.ts';
import type { AuditListPlace } from '../people.ts';
import { cursorBy, defineV1, listOf, page, pageUpTo, sinceMs } from '../v1/route.ts';
import type { Cursor } from '../v1/route.ts';
import { mutation, ok, query } from './define.ts';
import { z } from 'zod';

const AUDIT_PLACE = /^(?<at>\d{1,15})\.(?<seq>\d{1,15})\.(?<chain>[!-~]{1,100})$/u;

/** Parses a cursor of the audit, which is sorted by time, then by chain. */
function auditCursor(after: string | undefined): Cursor<AuditListPlace> {
  return cursorBy(after, AUDIT_PLACE, ({ at, seq, chain = '' }) => ({ at: Number(at), seq: Number(seq), chain }));
}

export const auditOperations = {
  'audit.list': query('admin', 'fleet', {
    input: auditListInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.listAudit(input, actor)),
    v1: {
      'GET /v1/audit': defineV1({
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
    },
  }),
  // Mutation, because the kept heads may be many.
  'audit.verify': mutation('admin', 'fleet', {
    input: auditVerifyInput,
    handle: async ({ fleet, actor, input }) => ok(await fleet.verifyAudit(input, actor)),
    v1: {
      'POST /v1/audit/verify': defineV1({
        summary: 'Checks the whole audit, and that the heads which were kept elsewhere are in it.',
        body: z.strictObject(auditVerifyInput.shape),
        bytesMax: 3 * 1_048_576,
        answer: auditVerdict.meta({ id: 'AuditVerdict' }),
      }),
    },
  }),
};
