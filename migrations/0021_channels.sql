-- People apart from tokens, who they are in chats, and what each chat shows of each question.

create table people (
  id uuid primary key,
  name text not null unique,
  role text not null check (role in ('viewer', 'responder', 'operator', 'admin')),
  -- The only project that the person reaches; null: all.
  project_id uuid references projects (id) on delete cascade,
  created_at timestamptz not null
);

-- Who a chat says that somebody is, never by a name that they choose there.
create table identities (
  channel text not null,
  subject text not null,
  person_id uuid not null references people (id) on delete cascade,
  linked_at timestamptz not null,
  primary key (channel, subject)
);
create index identities_person on identities (person_id);

-- Codes of one use that link an identity to a person.
create table link_codes (
  sha256 text primary key,
  person_id uuid not null references people (id) on delete cascade,
  expires_at timestamptz not null
);

-- Where questions are shown: a person's own chat, or one of several people.
create table places (
  channel text not null,
  address text not null,
  person_id uuid references people (id) on delete cascade,
  project_id uuid references projects (id) on delete cascade,
  created_at timestamptz not null,
  primary key (channel, address)
);

-- One question at one place. It is due while `shown` is below the question's version, or fewer pings were given than are wanted.
create table deliveries (
  escalation_id uuid not null references escalations (id) on delete cascade,
  channel text not null,
  address text not null,
  shown integer not null,
  ref text,
  pings_wanted integer not null,
  pings_given integer not null,
  holder text,
  held_until timestamptz,
  not_before timestamptz,
  failures integer not null,
  error text,
  -- Trying again is of no use.
  is_final boolean not null,
  created_at timestamptz not null,
  shown_at timestamptz,
  primary key (escalation_id, channel, address)
);

-- Which process has the work of a channel.
create table channel_leases (
  channel text primary key,
  holder text not null,
  held_until timestamptz not null
);

-- Not null makes it a bot's token: it speaks for the identities of these channels alone, and its role is the most that they may do by it.
alter table api_tokens add column channels jsonb;
