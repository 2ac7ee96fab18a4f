-- The app of requests that name none, on a service of several apps and where no app has the request's host.

alter table tenants
    add column is_default boolean not null default false;

-- One at most.
create unique index tenants_one_default on tenants (is_default) where is_default;
