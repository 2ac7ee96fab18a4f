-- How many entries of a finished export are of days before its own: its page and its mail say so (decision 0053).

alter table exports
    -- Null of one that is not finished, and of those of before.
    add column late_count int constraint exports_late_count check (late_count >= 0);
