// Records who asked for what, in memory. The same as sql/people/audit.ts.
import { auditHash } from '../../../audit-hash.ts';
import type { AuditFilter, AuditHead, AuditPlace, AuditRow, NewAudit } from '../../../port/people.ts';
import type { MemoryDatabase } from '../engine/database.ts';

/** Adds a row at the end of its chain. */
export function audit(db: MemoryDatabase, entry: NewAudit): void {
  const { chain, body } = entry;
  db.auditHeads.lock(chain);
  const { seq: last, hash: before } = db.auditHeads.get(chain) ?? { seq: 0, hash: '' };
  const seq = last + 1;
  const hash = auditHash(before, { chain, seq, body });
  db.put(db.audit, `${chain} ${String(seq).padStart(12, '0')}`, { ...entry, seq, hash });
  db.put(db.auditHeads, chain, { chain, seq, hash });
}

/** Lists rows of the audit, newest first. */
export function listAudit(db: MemoryDatabase, { actor, since, after, limit }: AuditFilter): readonly AuditRow[] {
  return [...db.audit.values()]
    .filter(
      (row) => actor === undefined || row.actor === actor || row.actor.slice(row.actor.indexOf(' ') + 1) === actor,
    )
    .filter(({ at }) => since === undefined || at >= since)
    .filter((row) => after === undefined || newestChainFirst(after, row) < 0)
    .toSorted(newestChainFirst)
    .slice(0, limit);
}

type Place = Pick<AuditRow, 'at' | 'chain' | 'seq'>;

function newestChainFirst(one: Place, other: Place): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.chain !== other.chain) return one.chain < other.chain ? -1 : 1;
  return other.seq - one.seq;
}

/** Reads rows chain by chain, from behind a place on. */
export function auditPage(db: MemoryDatabase, after: AuditPlace, limit: number): readonly AuditRow[] {
  const isBehind = ({ chain, seq }: AuditRow): boolean =>
    after === null || chain > after.chain || (chain === after.chain && seq > after.seq);
  return [...db.audit.values()]
    .filter(isBehind)
    .toSorted((one, other) => (one.chain === other.chain ? one.seq - other.seq : one.chain < other.chain ? -1 : 1))
    .slice(0, limit);
}

/** The last row of each chain. */
export function auditHeads(db: MemoryDatabase): readonly AuditHead[] {
  return [...db.auditHeads.values()].toSorted((one, other) => (one.chain < other.chain ? -1 : 1));
}
