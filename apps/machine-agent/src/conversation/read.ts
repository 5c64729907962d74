/** Answers a question for a page of the conversation with a worker's agent. */
import type { Query, QueryResult } from '@drover/protocol';
import type { CommandContext } from '../execute/tools.ts';
import { pageOf } from './page.ts';
import { findSource } from './sources.ts';

export async function readConversation(
  context: CommandContext,
  query: Extract<Query, { kind: 'read-conversation' }>,
): Promise<QueryResult> {
  const source = await findSource(context);
  if (source === null) return { kind: 'conversation', entries: [], before: null, lacks: NO_RECORD };
  const page = await pageOf(source.records(query.before), query, context.redactor);
  return { kind: 'conversation', ...page, lacks: null };
}

const NO_RECORD = 'Its program has kept no record of a conversation that this machine can read';
