-- Where a project lies on each machine. Before, all machines had to have it at one path, `projects.root`, which is now only for
-- machine agents of older builds.

alter table projects alter column root drop not null;

-- What the machine said at its last hello: its workspace, and the checkouts that its owner names. Null: an agent of an older build.
alter table machines add column places jsonb;

create table checkouts (
  machine_id uuid not null references machines (id) on delete cascade,
  project_id uuid not null references projects (id) on delete cascade,
  root text not null,
  state text not null check (state in ('ready', 'failed')),
  -- A code and a message while the last try failed.
  error jsonb,
  updated_at timestamptz not null,
  primary key (machine_id, project_id)
);
create index checkouts_project on checkouts (project_id);
