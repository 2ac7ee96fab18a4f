-- Whether a worker reaches the speech server that its settings name, for /readyz: without one recordings wait.
alter table workers add column hears boolean not null default true;
