-- What machines reported that is not theirs to report: of each machine and reason a count, and a digest of the last one. The reports
-- themselves are not kept, so that no machine fills the database with what nothing follows from.

create table refused_reports (
  machine_id uuid not null references machines (id) on delete cascade,
  reason text not null,
  count bigint not null,
  bytes bigint not null,
  last_sha256 text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (machine_id, reason)
);
