-- What it takes to decide again, screens, orders and their results are kept for a day; these find what is older without reading the fortnight.

create index events_replayable on events (at) where outcome is not null;
create index observations_thinned on observations (stored_at) where kind in ('screen', 'result', 'answer');
create index commands_finished on commands (finished_at) where finished_at is not null;
