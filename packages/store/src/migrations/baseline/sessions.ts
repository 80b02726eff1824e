import { ownTenantWrites, tenantRowsOnly } from '../row-level-security.ts';

/**
 * Sessions of accounts, and the keys that sign their tokens.
 *
 * A session has families of refresh tokens, one per login or page. A family has one `current` token, at most one `previous` token, which
 * can repeat its response for a few seconds (`replay`, encrypted under a key that only that token yields), and `spent` tokens, which are
 * kept to detect their reuse. `secret_id` is the secret with which a client logged in. A session that was opened through an identity
 * provider stores the provider's ID token, encrypted, to end the provider's session too. `last_used` decides which session a login above
 * the limit ends; null: used only for its login.
 *
 * The signing keys are one set per deployment, so they have no tenant_id. The stream role may read only `revoked_keys`.
 */
export const sessions = `
  create table sessions (
    tenant_id uuid not null references tenants (id) on delete cascade,
    sid uuid not null,
    account_kind text not null check (account_kind in ('user', 'client')),
    account_id uuid not null,
    created timestamptz not null default now(),
    expires timestamptz not null,
    key_id text,
    revoked_at timestamptz,
    revoke_reason text,
    cookie_hash bytea,
    secret_id text,
    issuer text,
    identity_sealed bytea,
    last_used timestamptz,
    streams_until timestamptz,
    primary key (tenant_id, sid)
  );
  create index sessions_of_account on sessions (tenant_id, account_id) where revoked_at is null;
  create unique index sessions_by_cookie on sessions (tenant_id, cookie_hash) where cookie_hash is not null;
  create index sessions_by_expiry on sessions (expires);
  ${tenantRowsOnly('sessions')}${ownTenantWrites('sessions')}

  create table refresh_tokens (
    tenant_id uuid not null,
    token_hash bytea not null,
    sid uuid not null,
    family uuid not null,
    state text not null default 'current' check (state in ('current', 'previous', 'spent')),
    issued timestamptz not null default now(),
    rotated_at timestamptz,
    replay bytea,
    primary key (tenant_id, token_hash),
    foreign key (tenant_id, sid) references sessions (tenant_id, sid) on delete cascade
  );
  create unique index refresh_tokens_one_current on refresh_tokens (tenant_id, family) where state = 'current';
  create index refresh_tokens_replayable on refresh_tokens (rotated_at) where replay is not null;
  create index refresh_tokens_of_session on refresh_tokens (tenant_id, sid);
  ${tenantRowsOnly('refresh_tokens')}

  create table signing_keys (
    kid text primary key,
    private_key_encrypted bytea not null,
    public_jwk jsonb not null,
    publish_at timestamptz not null,
    sign_from timestamptz not null,
    sign_until timestamptz not null,
    expires_at timestamptz not null
  );
  create table revoked_keys (
    kid text primary key,
    revoked_at timestamptz not null default now()
  );
`;
