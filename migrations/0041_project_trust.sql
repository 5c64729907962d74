-- What a person has said of each kind of trust (`direnv`, `mise`), as {"KIND": true or false}. Absent: nobody was asked.
alter table projects add column trust jsonb not null default '{}';
