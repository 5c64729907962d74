-- A worker's deadlines are found by the start of their keys. An index serves that only by bytes: with the collation of a server of one's
-- own, such as en_US, each decision read the whole table.

alter table due_work alter column key type text collate "C";
