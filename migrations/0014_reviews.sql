-- What each person has seen of each worker's work: the commit that was shown, with its tree, and what it was compared with.

create table reviews (
  worker_id uuid not null references workers (id) on delete cascade,
  -- The id of the token.
  reviewer text not null,
  base text not null,
  head text not null,
  tree text not null,
  reviewed_at timestamptz not null,
  primary key (worker_id, reviewer)
);

-- Whose work an accept without a name means was decided by whoever looked last.

alter table projects drop column last_reviewed_id;

-- Nobody knows what was seen by a person whose accept is under way. One that has its commit goes on; the others wait for review.

update projects set merge_worker_id = null
from workers
where workers.id = merge_worker_id and workers.state -> 'accept' ->> 'step' in ('waiting', 'rebase', 'validate', 'squash');

update workers
set state = state || '{"accept": null, "note": "not merged: Drover was updated meanwhile; review it again"}'::jsonb
where state -> 'accept' ->> 'step' in ('waiting', 'rebase', 'validate', 'squash');

update workers
set state = jsonb_set(
  state,
  '{accept}',
  (state -> 'accept') || jsonb_build_object(
    'reviewed', coalesce(state -> 'accept' ->> 'commit', ''),
    'pin', jsonb_build_object('head', coalesce(state -> 'accept' ->> 'commit', ''), 'tree', null)
  )
)
where state -> 'accept' ->> 'step' in ('fast-forward', 'close', 'recycle');
