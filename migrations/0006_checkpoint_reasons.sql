-- A list of checkpoints says why each was made and how much it holds, without asking its machine.

alter table checkpoints add column why text not null default '';
-- Files with uncommitted changes; null where the machine did not say.
alter table checkpoints add column files integer;
