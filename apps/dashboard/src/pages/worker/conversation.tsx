/** Shows the conversation with a worker's agent, as its program keeps it: prompts, answers, folded calls of tools, errors. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ConversationView } from '@drover/api';
import { api } from '../../client/api.ts';
import { later } from '../../client/browser-adapter.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failed, Loading } from '../../parts/notices.tsx';
import parts from '../../parts/parts.module.css';
import { Text } from '../../parts/text.tsx';
import css from './conversation.module.css';
import { useEnd } from './use-end.ts';

type Entry = ConversationView['entries'][number];

/** Milliseconds between two looks at the end, while nothing earlier is shown. */
const REFRESH_MS = 5_000;
/** Milliseconds without a key after which a search begins. */
const TYPED_MS = 300;

interface Props {
  readonly reference: string;
  readonly isAtWork: boolean;
}

export function Conversation({ reference, isAtWork }: Props) {
  const [typed, setTyped] = useState('');
  const [find, setFind] = useState('');
  useEffect(() => later(TYPED_MS, () => setFind(typed.trim())), [typed]);
  const pages = useInfiniteQuery({
    queryKey: ['conversation', reference, find],
    queryFn: ({ pageParam: before }) =>
      api.workers.conversation.query({
        name: reference,
        ...(before !== null && { before }),
        ...(find !== '' && { find }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }: ConversationView) => before,
    // A person who reads earlier pages is not pushed around.
    refetchInterval: ({ state }) => (find === '' && (state.data?.pages.length ?? 1) === 1 ? REFRESH_MS : false),
  });
  const all = pages.data?.pages ?? [];
  const entries = all.toReversed().flatMap((page) => page.entries);
  const place = useEnd<HTMLDivElement>(all[0]);
  const [newest] = all;
  return (
    <section aria-label="Conversation">
      <div className={css.bar}>
        <input
          data-filter=""
          type="search"
          placeholder="Search the conversation  /"
          aria-label="Search the conversation"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {all.length > 1 && find === '' ? (
          <Button tone="quiet" onClick={() => void pages.refetch()}>
            Load what is new
          </Button>
        ) : null}
      </div>
      {pages.isPending ? <Loading what="the conversation" /> : null}
      {pages.isError ? <Failed error={pages.error} onRetry={() => void pages.refetch()} /> : null}
      {newest?.lacks == null ? null : (
        <Empty title="There is no record to show">
          <p>
            <Text of={newest.lacks} />. The pane shows what its screen does.
          </p>
        </Empty>
      )}
      {newest !== undefined && newest.lacks === null ? (
        <div ref={place} className={css.talk} tabIndex={0} role="region" aria-label={`Words, oldest first`}>
          {pages.hasNextPage ? (
            <Button
              lack={pages.isFetchingNextPage ? 'They are on their way' : null}
              onClick={() => void pages.fetchNextPage()}
            >
              {find === '' ? 'Show earlier words' : 'Search further back'}
            </Button>
          ) : (
            <p className={parts.dim}>{find === '' ? 'The conversation begins here.' : 'Everything was searched.'}</p>
          )}
          {entries.length === 0 ? <p>{find === '' ? 'Nothing was said yet.' : 'No words found so far.'}</p> : null}
          <ol className={css.entries}>
            {entries.map((entry, at) => (
              // From the end, because earlier pages come before: an entry has no name of its own.
              <li key={entries.length - at} className={entry.kind === 'error' ? parts.alert : css[entry.kind]}>
                <EntryOf entry={entry} />
              </li>
            ))}
          </ol>
          {isAtWork && find === '' ? <p className={parts.dim}>It is at work.</p> : null}
        </div>
      ) : null}
    </section>
  );
}

function EntryOf({ entry }: { readonly entry: Entry }) {
  switch (entry.kind) {
    case 'prompt':
      return <Words who="Prompt" entry={entry} />;
    case 'answer':
      return <Words who="Agent" entry={entry} />;
    case 'error':
      return <Words who="Error" entry={entry} />;
    case 'call':
      return <Folded title={entry.tool} entry={entry} />;
    case 'result':
      return <Folded title={entry.failed ? 'failed' : 'returned'} entry={entry} />;
    default:
      return entry satisfies never;
  }
}

function Words({ who, entry }: { readonly who: string; readonly entry: Entry }) {
  return (
    <>
      <p className={css.who}>
        {who} <TimeOfDay at={entry.at} />
      </p>
      <p className={css.words}>
        <Text of={entry.text} />
        <Cut entry={entry} />
      </p>
    </>
  );
}

function Folded({ title, entry }: { readonly title: string; readonly entry: Entry }) {
  const [first = ''] = entry.text.trim().split('\n', 1);
  const isFailed = entry.kind === 'result' && entry.failed;
  return (
    <details>
      <summary className={isFailed ? css.failed : undefined}>
        <b>
          <Text of={title} />
        </b>{' '}
        <code>
          <Text of={first} />
        </code>
      </summary>
      <pre className={parts.block} tabIndex={0}>
        <Text of={entry.text} />
        <Cut entry={entry} />
      </pre>
    </details>
  );
}

function Cut({ entry: { isCut } }: { readonly entry: Entry }) {
  return isCut ? <span className={parts.dim}> (cut here: the whole stands in the program’s own record)</span> : null;
}

function TimeOfDay({ at }: { readonly at: number | null }) {
  if (at === null) return null;
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {new Date(at).toLocaleTimeString()}
    </time>
  );
}
