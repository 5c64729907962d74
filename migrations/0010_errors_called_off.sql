-- An error that belongs to no incident ends with its task, if the task came to nothing: when that was.

alter table errors add column called_off_at timestamptz;

update errors set called_off_at = coalesce(tasks.ended_at, now())
from tasks
where tasks.id::text = errors.task_id and tasks.status in ('ended', 'failed')
  and errors.incident_id is null and not errors.recovered;
