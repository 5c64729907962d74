-- The policy's row of a worker tells its incident whole, and what its budgets, dialogs, account and checkpoints stand at.

update workers set state = '{
  "taskAttempts": 0, "coolUntil": null, "dialog": null, "answered": [], "takenOver": false, "account": null,
  "checkpoint": null, "checkpointTriedAt": 0, "checkpointDue": null, "restoreFrom": null, "doubt": null, "conflicts": null
}'::jsonb || state || jsonb_build_object(
  -- An incident or an error of the old shape has no row of its own: what is still wrong shows again.
  'incident', null,
  'trouble', null
);

-- An answer to a dialog names what it goes by.
update workers set state = jsonb_set(
  state, '{inFlight,op,choice}', jsonb_build_object('kind', 'policy', 'dialog', state #> '{inFlight,op,choice}')
) where state #>> '{inFlight,op,kind}' = 'answer' and jsonb_typeof(state #> '{inFlight,op,choice}') = 'string';
update commands set body = jsonb_set(
  body, '{op,choice}', jsonb_build_object('kind', 'policy', 'dialog', body #> '{op,choice}')
) where body #>> '{op,kind}' = 'answer' and jsonb_typeof(body #> '{op,choice}') = 'string';
