/** Sends work back with words, and with comments on lines of the diff that the caller was shown. */
import { rejectionText, showHidden } from '@drover/core';
import type { LineComment } from '@drover/core';
import type { Actor, Outcome, Refusal, RequestView, TaskFleet } from '@drover/api';
import { diffLines, PROMPT_BYTES_MAX } from '@drover/protocol';
import type { ReviewRow, WorkerRow } from '@drover/store';
import type { Waiters } from '../../context/waiters.ts';
import type { Context } from '../../context/context.ts';
import { ask } from '../../facts/machines/query.ts';
import { refused } from '../../context/refused.ts';
import { findAsked, requestOf } from '../../loop/subjects/requests.ts';
import { findNamedOrReviewed } from './reviews.ts';

type Input = Parameters<TaskFleet['reject']>[0] & { readonly by: Actor };
type Comments = NonNullable<Input['comments']>;

/** Rejects the work of one worker. If two people reject at the same time, the row's lock lets one be first; the policy refuses the other. */
export async function reject(
  ctx: Context,
  options: { readonly commands: Waiters },
  input: Input,
): Promise<Outcome<RequestView>> {
  const { requestId, by, name, text = '', comments = [] } = input;
  const asked = await findAsked(ctx, by, requestId);
  const found = asked ?? (await findNamedOrReviewed(ctx, { name, by }));
  if (found.kind === 'refused') return found;
  const { row } = found;
  // The machine is asked before the transaction, which must not wait for it. A request that the policy will refuse, or has answered, needs
  // no lines.
  const isNew = asked === null && row.state.lifecycle.status === 'needs_review';
  const meant = isNew && comments.length > 0 ? await locate(ctx, options, { row, by, comments }) : unlocated(comments);
  if (meant.kind === 'refused') return meant;
  const head = meant.head ?? row.state.worktree.git?.head ?? '';
  const words = rejectionText(text, head, meant.comments);
  if (Buffer.byteLength(words) > PROMPT_BYTES_MAX)
    return refused(
      'invalid',
      `The feedback with its quoted lines is larger than ${PROMPT_BYTES_MAX / 1024} KiB: shorten it`,
    );
  const event = { kind: 'reject-requested', id: requestId, text: words } as const;
  return requestOf(ctx, { requestId, by, find: () => found, event: () => event });
}

interface Located {
  readonly kind: 'located';
  readonly comments: readonly LineComment[];
  /** Reviewed commit; null: the present one. */
  readonly head: string | null;
}

function unlocated(comments: Comments): Located {
  return { kind: 'located', comments: comments.map((comment) => ({ ...comment, says: '' })), head: null };
}

/** Finds the line of each comment in the diff that the caller was shown. */
async function locate(
  ctx: Context,
  options: { readonly commands: Waiters },
  { row, by, comments }: { readonly row: WorkerRow; readonly by: Actor; readonly comments: Comments },
): Promise<Located | Refusal> {
  const seen = (await ctx.store.listReviews(by.id)).find(({ workerId }) => workerId === row.id);
  if (seen === undefined)
    return refused(
      'not-reviewed',
      `${row.name}: you have not reviewed its work, so line numbers have no meaning: run "drover review ${row.name}" first`,
    );
  const diff = await readDiff(ctx, options, { row, seen });
  if (typeof diff !== 'string') return diff;
  const lines = linesOf(diff);
  const located = comments.map((comment) => ({ ...comment, says: lines.get(keyOf(comment)) }));
  const missing = located.filter(({ says }) => says === undefined);
  if (missing.length > 0) return refused('invalid', `${row.name}: ${tellMissing(missing, lines)}`);
  return {
    kind: 'located',
    comments: located.map((comment) => ({ ...comment, says: comment.says ?? '' })),
    head: seen.head,
  };
}

async function readDiff(
  ctx: Context,
  options: { readonly commands: Waiters },
  { row, seen }: { readonly row: WorkerRow; readonly seen: ReviewRow },
): Promise<string | Refusal> {
  const { base, head } = seen;
  const query = { kind: 'read-diff', began: base, main: base, head, stat: false } as const;
  const answer = await ask(ctx, options, { row, query });
  if (answer.kind !== 'diff')
    return refused('machine', 'message' in answer ? answer.message : 'The machine answered another question');
  if (answer.head === head) return answer.text;
  const why = `its machine has the commit ${answer.head.slice(0, 12)}, but you reviewed ${head.slice(0, 12)}`;
  return refused('machine', `${row.name}: ${why}: run "drover review ${row.name}" again`);
}

type Place = Pick<LineComment, 'path' | 'line' | 'side'>;

/** Maps each line of the diff by its place. */
function linesOf(diff: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const { path, before, after, kind, text } of diffLines(diff)) {
    if (after !== null) lines.set(keyOf({ path, line: after, side: 'after' }), text);
    // An unchanged line is named by its new number.
    if (before !== null && kind === 'removed') lines.set(keyOf({ path, line: before, side: 'before' }), text);
  }
  return lines;
}

function keyOf({ path, line, side }: Place): string {
  return `${side} ${line} ${path}`;
}

/** Places named in a refusal. */
const NAMED_MAX = 5;

function tellMissing(missing: readonly Place[], lines: ReadonlyMap<string, string>): string {
  const files = new Set([...lines.keys()].map((key) => key.split(' ').slice(2).join(' ')));
  const named = missing.slice(0, NAMED_MAX).map((place) => {
    const written = `${place.path}:${place.side === 'before' ? '-' : ''}${place.line}`;
    const why = !files.has(place.path)
      ? 'no such file'
      : place.side === 'before'
        ? 'no such removed line'
        : 'no such line';
    return `${showHidden(written)} (${why})`;
  });
  const more = missing.length > NAMED_MAX ? `, and ${missing.length - NAMED_MAX} more` : '';
  return `the diff that you reviewed does not show ${named.join(', ')}${more}: nothing was sent. Use lines that the diff shows; begin a line of your file that is not a comment with a blank`;
}
