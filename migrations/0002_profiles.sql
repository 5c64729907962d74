-- Agent profiles that replace or add to those of the build, so that a changed coding agent needs no release.

create sequence profile_revision;

create table profiles (
  name text primary key,
  -- Raised by every change, so that a machine knows what it has.
  revision bigint not null default nextval('profile_revision'),
  -- Null: taken back; the build's own profile of that name holds again.
  document jsonb,
  updated_at timestamptz not null
);
