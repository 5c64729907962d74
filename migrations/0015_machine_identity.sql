-- Who is a coordinator, and who is a machine? Challenges are stateless, coordinators have an identity, machines can be taken out.

-- The key pair of this fleet, made by the first replica that starts: the seed of an Ed25519 private key, base64url.
create table fleet_identity (
  only_one boolean primary key default true check (only_one),
  seed text not null,
  created_at timestamptz not null
);

alter table machines
  drop column nonce,
  drop column nonce_expires_at,
  -- The address of the coordinator that the machine dialled at its last hello.
  add column dialled_url text,
  -- From then on the machine is refused, until it shows an invitation that is younger.
  add column revoked_at timestamptz,
  -- Somebody wants the machine to make a new key, since then; null once it has.
  add column rotate_since timestamptz;

-- Null in tokens of an older build: they let no revoked machine back in.
alter table join_tokens add column created_at timestamptz;

-- What a removed machine saw stays until it is too old to be kept, as the history of removed workers does.
alter table observations drop constraint observations_machine_id_fkey;
alter table checkpoints drop constraint checkpoints_machine_id_fkey;
