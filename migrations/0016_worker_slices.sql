-- What the policy knows of a worker is kept in slices, each with one owner, instead of loose fields. Rows, checkpoints and the
-- workers that a history begins from are carried over. A field that an old row lacks has the value of a new worker.

create function pg_temp.slices(kept jsonb) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'lifecycle', jsonb_build_object(
      'status', w -> 'status', 'before', w -> 'before', 'wanted', w -> 'wanted', 'takenOver', w -> 'takenOver', 'note', w -> 'note'
    ),
    'worktree', jsonb_build_object('place', w -> 'worktree', 'resetDue', w -> 'resetDue', 'git', w -> 'git'),
    'command', jsonb_build_object(
      'seq', w -> 'commandSeq',
      'inFlight', case when w -> 'inFlight' = 'null' then 'null'
        else (w -> 'inFlight') - 'op' || jsonb_build_object('command', w -> 'inFlight' -> 'op') end,
      'holdUntil', w -> 'holdUntil',
      'failures', w -> 'failures'
    ),
    'session', jsonb_build_object(
      'pane', case when w -> 'pane' ->> 'kind' in ('starting', 'up') then (w -> 'pane') || jsonb_build_object('seen', w -> 'seen')
        else w -> 'pane' end,
      'conversation', w -> 'conversation',
      'replacement', case
        when w -> 'doubt' <> 'null' then jsonb_build_object('kind', 'doubted', 'doubt', w -> 'doubt', 'restart', w -> 'respawnDue')
        when w -> 'respawnDue' = 'true' then '{"kind": "due"}'
        else '{"kind": "none"}' end,
      'startFailures', w -> 'startFailures',
      'crashes', w -> 'crashes'
    ),
    'turn', jsonb_build_object(
      'phase', case
        when w -> 'turnSince' = 'null' then '{"kind": "none"}'
        when w -> 'turnUnseen' = 'true' then jsonb_build_object('kind', 'unseen', 'since', w -> 'turnSince')
        else jsonb_build_object('kind', 'running', 'since', w -> 'turnSince') end,
      'judgeDue', w -> 'judgeDue',
      'progress', w -> 'progress'
    ),
    'mailbox', jsonb_build_object(
      'current', w -> 'outgoing', 'waiting', w -> 'backlog', 'queued', w -> 'queued', 'restoreDue', w -> 'restoreDue'
    ),
    'task', case when w -> 'task' = 'null' then '{"kind": "none"}'
      else '{"kind": "in-hand"}' || (w -> 'task') || jsonb_build_object('attempts', w -> 'taskAttempts') end,
    'merge', jsonb_build_object('accept', w -> 'accept', 'rebaseDue', w -> 'rebaseDue', 'conflicts', w -> 'conflicts'),
    'dialog', jsonb_build_object('inHand', w -> 'dialog', 'answered', w -> 'answered'),
    'account', case when w -> 'account' = 'null' then '{"kind": "open"}'
      else jsonb_build_object('kind', w -> 'account' -> 'state', 'until', w -> 'account' -> 'until') end,
    'checkpoint', jsonb_build_object(
      'last', w -> 'checkpoint', 'triedAt', w -> 'checkpointTriedAt', 'due', w -> 'checkpointDue', 'restore', w -> 'restoreFrom'
    ),
    'incident', jsonb_build_object('open', w -> 'incident', 'coolUntil', w -> 'coolUntil', 'trouble', w -> 'trouble'),
    'deadlines', w -> 'deadlines'
  )
  from (
    select '{
      "status": "offline", "before": "idle", "wanted": "up", "worktree": {"kind": "none"}, "resetDue": false,
      "pane": {"kind": "absent"}, "seen": null, "git": null, "conversation": null, "respawnDue": false, "doubt": null,
      "task": null, "outgoing": null, "backlog": [], "queued": [], "turnSince": null, "turnUnseen": false,
      "restoreDue": false, "judgeDue": false, "rebaseDue": false, "holdUntil": null, "failures": 0, "inFlight": null,
      "commandSeq": 0, "crashes": {"count": 0, "lastAt": 0}, "startFailures": 0,
      "progress": {"mark": null, "at": 0, "nudges": 0}, "trouble": null, "incident": null, "taskAttempts": 0,
      "coolUntil": null, "dialog": null, "answered": [], "takenOver": false, "account": null, "checkpoint": null,
      "checkpointTriedAt": 0, "checkpointDue": null, "restoreFrom": null, "conflicts": null, "accept": null, "note": "",
      "deadlines": {}
    }'::jsonb || kept as w
  ) as known
$$;

update workers set state = pg_temp.slices(state);

update checkpoints set state = pg_temp.slices(state);

update events set state_before = pg_temp.slices(state_before) where state_before is not null;
