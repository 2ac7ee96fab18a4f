-- `Idempotency-Key` on every write that is not idempotent by itself. The program lists the operations (`KeyClaim.Operation`).

alter table idempotency_keys drop constraint idempotency_keys_operation;

alter table idempotency_keys
    -- Of a batch that has ended: one status code or error code for each of its operations, in order.
    add column results text[];

-- Codes and identities are written by the role of sign-in, in transactions of the member who asks for them.
create policy idempotency_keys_auth on idempotency_keys to diary_auth
    using (tenant_id = current_tenant() and user_id = current_member())
    with check (tenant_id = current_tenant() and user_id = current_member());

-- It never reads them.
grant insert on idempotency_keys to diary_auth;
grant update (results) on idempotency_keys to diary_api;
