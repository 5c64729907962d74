-- What the worker's terminal and git said when the error came: { "pane": [lines], "git": [lines] }. Null: nobody could be asked.
alter table errors add column evidence jsonb;
