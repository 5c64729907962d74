-- How a machine last said that it is: its programs, load, memory, disk and clock (null: it has not said).
alter table machines add column condition jsonb;
