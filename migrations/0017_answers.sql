-- An answer names the asking that it saw, and every answer is kept with the reply that it got: the same one again gets that reply.

alter table escalations add column asked integer not null default 1;

create table escalation_responses (
  -- The client's id of the answer.
  request_id uuid primary key,
  escalation_id uuid not null references escalations (id) on delete cascade,
  asked integer not null,
  option text not null,
  text text,
  actor jsonb not null,
  reply jsonb not null,
  at timestamptz not null
);
create index escalation_responses_escalation on escalation_responses (escalation_id);

-- The first answer to these came too late, and older builds took it again when it was repeated.
update escalations set asked = 2 where status in ('open', 'acked') and application in ('rejected_stale', 'failed');

-- Older builds said "resolved" of questions with which a worker still waits.
update escalations
set status = 'open', asked = 2, resolution = null, resolved_at = null, acked_by = null,
  members = jsonb_set(members, '{0,over}', 'false')
from workers
where escalations.status = 'resolved'
  and jsonb_array_length(members) = 1
  and workers.id = escalations.worker_id
  and workers.state -> 'incident' -> 'open' ->> 'id' = incident_id::text
  and workers.state -> 'incident' -> 'open' ->> 'escalated' = 'true'
  and not exists (
    select from escalations as other where other.dedupe_key = escalations.dedupe_key and other.status in ('open', 'acked')
  )
  and not exists (
    select from escalations as newer
    where newer.dedupe_key = escalations.dedupe_key and newer.created_at > escalations.created_at
  );
