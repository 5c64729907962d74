-- How far the calls about a question are, and what people say of it beside answers.

alter table escalations add column oncall jsonb;

alter table escalation_responses add column kind text not null default 'answer';
alter table escalation_responses alter column option drop not null;
-- Of a snooze.
alter table escalation_responses add column until timestamptz;
