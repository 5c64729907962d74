-- A chat may get another address: a group of Telegram that becomes a supergroup. Steps of drover.toml name the one of before.

alter table places add column former_address text;
