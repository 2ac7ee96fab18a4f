-- Engines hear the copy where the original does not have the sound as they would read it: channels that cancel out, a second track, joined files.
alter table entry_renditions add column is_heard boolean not null default false;
