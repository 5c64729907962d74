-- An order that names no worker is looked for by its id alone when it is asked again.

create index events_order_id on events (order_id) where order_id is not null;
