/** Answers a question for a page of the conversation with a worker's agent. */
import type { Query, QueryResult } from '@drover/protocol';
import type { CommandContext } from '../execute/tools.ts';
import { pageOf } from './page.ts';
import { findRecords } from './sources.ts';

export async function readConversation(
  context: CommandContext,
  query: Extract<Query, { kind: 'read-conversation' }>,
): Promise<QueryResult> {
  const records = await findRecords(context);
  if (records === null) return { kind: 'conversation', entries: [], before: null, lacks: NO_RECORD };
  const page = await pageOf(records(query.before), query, context.redactor);
  return { kind: 'conversation', ...page, lacks: null };
}

const NO_RECORD = 'Its program has kept no record of a conversation that this machine can read';
