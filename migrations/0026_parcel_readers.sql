-- Who may read a parcel beside the machine that a command tells to take it: the machine that asked for it within a command of its own.
-- Unlogged, as parcels are.
create unlogged table parcel_readers (
  machine_id uuid not null,
  sha256 text not null,
  reader_id uuid not null,
  primary key (machine_id, sha256, reader_id),
  foreign key (machine_id, sha256) references parcels on delete cascade
);
