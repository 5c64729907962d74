// Writes the rows of every decision in one round trip: the worker, its deadlines, its commands and its line of history.
import { sql } from 'kysely';
import { compiledOnce } from '../connection/compiled.ts';
import { send } from '../connection/pipeline.ts';
import type { NewEvent, SavedDecision } from '../port/history.ts';
import { columnsWithout } from '../tables/columns.ts';
import type { Trx } from './db.ts';
import { givenAs, listed, listedFrom, rowsIn, rowsOf, textOf } from './steps/given.ts';
import { auditSteps } from './steps/audit.ts';
import { addCommands, givenCommand } from './steps/commands.ts';
import { DEADLINES, deadlineSteps } from './steps/deadlines.ts';
import { changeWorkers, givenWorker, WORKER } from './steps/workers.ts';

/** Columns of a line of the decision log that are given; its kind is that of its event. */
const EVENT = columnsWithout('events', 'id', 'kind');

/** The same of one line. */
function givenEvent({ decided: { before, ...decided }, isQuiet, ...line }: NewEvent): object {
  return { ...line, ...decided, stateBefore: before, quiet: isQuiet };
}

/** The statement that adds the lines that are `given` to the decision log, in their order. */
const addEvents = sql`insert into events (${listed(EVENT)}, kind)
    select ${listedFrom('events', EVENT)}, given.event->>'kind' from given order by nr`;

const DECISION = { ...WORKER, ...DEADLINES, ...givenAs('events', EVENT) };

/**
 * The same as `insertCommands`, `saveWorker`, `setDeadlines` and `insertEvent` for each, as one statement. The caller holds the rows of the workers, of which
 * none is named twice. A chain of the audit that is named again begins a second statement, because a row of it goes by the one before it.
 */
export async function saveDecisions(db: Trx, decisions: readonly SavedDecision[]): Promise<void> {
  const chains = new Set<string>();
  let together: SavedDecision[] = [];
  for (const decision of decisions) {
    const { chain } = decision.audit ?? {};
    if (chain !== undefined && chains.has(chain)) {
      await saveTogether(db, together);
      chains.clear();
      together = [];
    }
    if (chain !== undefined) chains.add(chain);
    together.push(decision);
  }
  await saveTogether(db, together);
}

async function saveTogether(db: Trx, decisions: readonly SavedDecision[]): Promise<void> {
  if (decisions.length === 0) return;
  const audits = decisions.flatMap(({ audit }) => audit ?? []);
  const commands = decisions.flatMap(({ event, commands: all }) => all.map((one) => givenCommand(one, event.at)));
  const rows = decisions.map(({ row, event }) => ({
    ...givenWorker(row, event.at),
    deadlines: row.state.deadlines,
    ...givenEvent(event),
  }));
  const save = SAVES[audits.length > 0 ? 1 : 0][commands.length > 0 ? 1 : 0];
  await send(db, save(db, { audits: textOf(audits), commands: textOf(commands), rows: textOf(rows) }));
}

/** Rows of a batch, written down. */
type Batch = Readonly<Record<'audits' | 'commands' | 'rows', string>>;

/** The statement that saves a batch: without audit or with, then without commands or with. */
const SAVES = [
  [savingOf({ audited: false, commanded: false }), savingOf({ audited: false, commanded: true })],
  [savingOf({ audited: true, commanded: false }), savingOf({ audited: true, commanded: true })],
] as const;

function savingOf({ audited, commanded }: { readonly audited: boolean; readonly commanded: boolean }) {
  return compiledOnce((_: Trx, { audits, commands, rows }: Batch) => {
    const audit = audited ? sql`${auditSteps(audits)},` : sql``;
    const command = commanded ? sql`commanded as (${addCommands(commands)}),` : sql``;
    return sql`with ${audit} ${command} given as (${rowsIn(DECISION, rows)}), saved as (${changeWorkers}), ${deadlineSteps}
    ${addEvents}`;
  });
}

/** Adds a line to the decision log. */
export async function insertEvent(db: Trx, event: NewEvent): Promise<void> {
  await send(db, sql`with given as (${rowsOf(givenAs('events', EVENT), [givenEvent(event)])}) ${addEvents}`);
}
