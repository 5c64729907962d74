-- Why due work was not done the last time, for people; and the leased rows by the end of their leases: those that fail again and again are
-- leased for longer each time.

alter table due_work add column problem text;

create index due_work_leased on due_work (lease_until) where lease_until is not null;
