-- Parcels on their way from one machine to another. Unlogged: no parcel is the only copy of anything, so a crash of the database may
-- lose them, and they cost nothing twice. They are no part of an export.

create unlogged table parcels (
  -- Who sends it. Without a reference: a parcel of a machine that is gone expires like any other.
  machine_id uuid not null,
  sha256 text not null,
  size_bytes bigint not null,
  -- When its sender last opened it.
  opened_at timestamptz not null,
  primary key (machine_id, sha256)
);

create unlogged table parcel_chunks (
  machine_id uuid not null,
  sha256 text not null,
  number integer not null,
  content bytea not null,
  primary key (machine_id, sha256, number),
  foreign key (machine_id, sha256) references parcels on delete cascade
);

-- Packed already: compressing it again would only take time.
alter table parcel_chunks alter column content set storage external;
