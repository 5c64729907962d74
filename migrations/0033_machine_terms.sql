-- What work a machine is for: labels that people give it, and how many workers it takes at most (null: any number).
alter table machines add column labels jsonb not null default '[]';
alter table machines add column capacity integer check (capacity >= 0);
