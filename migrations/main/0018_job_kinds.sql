-- The kinds of jobs are described in the service's code alone. A worker claims only the kinds it knows, and refuses to start when one of them has no
-- implementation or no slots; a list in the schema would only have to be changed with every new kind.
alter table jobs drop constraint jobs_kind;
