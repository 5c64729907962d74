-- A project that is removed keeps its row: tasks, questions and checkpoints of the past name it. One of its name brings it back.
alter table projects add column removed_at timestamptz;
