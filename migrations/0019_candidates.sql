-- Work is merged as a candidate beside its worktree (docs/git.md), instead of by steps that rebase and squash the worktree. An accept
-- that is under way begins again at its lease, unless its work is merged already; what its machine answers to the former step comes
-- too late and changes nothing. Fields that the slice gets anew are as for a new worker.

create function pg_temp.is_merged(accept jsonb) returns boolean language sql immutable as $$
  select coalesce(accept ->> 'step' in ('close', 'recycle'), false)
$$;

create function pg_temp.begins_again(state jsonb) returns boolean language sql immutable as $$
  select coalesce(state -> 'merge' -> 'accept' ->> 'step' in ('rebase', 'validate', 'squash', 'fast-forward'), false)
$$;

create function pg_temp.on_candidates(state jsonb) returns jsonb language sql immutable as $$
  select case when state -> 'merge' is null then state else
    jsonb_set(
      jsonb_set(state, '{merge}', (state -> 'merge') || jsonb_build_object(
        'accept', case
          when accept is null or accept = 'null' then 'null'
          else jsonb_build_object(
            'step', case when pg_temp.is_merged(accept) then accept -> 'step' else '"waiting"' end,
            'pin', accept -> 'pin',
            'nothing', false,
            'base', case when pg_temp.is_merged(accept) then accept -> 'base' else 'null' end,
            'commit', case when pg_temp.is_merged(accept) then accept -> 'commit' else 'null' end,
            'tree', null,
            'moved', 0,
            'since', accept -> 'since'
          ) end,
        'conflicts', case
          when conflicts is null or conflicts = 'null' then 'null'
          else jsonb_build_object(
            'key', conflicts -> 'key',
            'times', conflicts -> 'times',
            'orig', coalesce(conflicts ->> 'headBefore', ''),
            'onto', '',
            'open', coalesce('rebasing' in (state -> 'lifecycle' ->> 'status', state -> 'lifecycle' ->> 'before'), false),
            'told', case when conflicts -> 'helped' = 'true' then '["in-progress"]'::jsonb else '[]' end
          ) end
      )),
      '{command,inFlight}',
      case when pg_temp.begins_again(state) then 'null' else coalesce(state -> 'command' -> 'inFlight', 'null') end
    ) end
  from (select state -> 'merge' -> 'accept' as accept, state -> 'merge' -> 'conflicts' as conflicts) as known
$$;

-- A command of the former steps that its machine has not begun is not given any more.
delete from commands
using workers
where commands.worker_id = workers.id and commands.state = 'pending' and pg_temp.begins_again(workers.state)
  and commands.body -> 'op' ->> 'kind' in ('rebase', 'validate', 'squash', 'fast-forward');

update workers set state = pg_temp.on_candidates(state);

update checkpoints set state = pg_temp.on_candidates(state);

update events set state_before = pg_temp.on_candidates(state_before) where state_before is not null;

-- Time limits of commands that there are no more: a policy that names one would not hold at all.
update projects
set config = config #- '{policy,project,command,timeoutMs,squash}' #- '{policy,project,command,timeoutMs,fast-forward}';
