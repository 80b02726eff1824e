import type { SchemaStep } from './migration.ts';

/** One key set per deployment, so there is no tenant_id. The stream role may read only `revoked_keys`. */
export const signingKeysStep: SchemaStep = {
  name: '0004-signing-keys',
  sql: `
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
  `,
};
