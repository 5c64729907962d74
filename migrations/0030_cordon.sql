-- Why a machine gets no new work, and whether its workers are to leave it; null: it gets some.
-- {since, by, drain: null | {id, since, deadline, doneAt, waits}}, times in epoch milliseconds.
alter table machines add column cordon jsonb;
