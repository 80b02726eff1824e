import type { SchemaStep } from './migration.ts';

/**
 * Up to five secrets of a service account, each with a label and an end, and further rules of its access: the networks and permissions to which it
 * is limited (null: no limit), the public keys with which it signs in, and whether it may introspect tokens. `last_used` is the time of its last
 * token, to some minutes. `selector` is the beginning of a secret, by which one hash is chosen, so that more secrets cost no more hashing; null: a secret
 * of a version before.
 */
export const serviceAccountAccessStep: SchemaStep = {
  name: '0055-service-account-access',
  sql: `
  alter table clients drop constraint clients_secret_hashes_check;
  alter table clients
    add constraint clients_secret_hashes_check check (cardinality(secret_hashes) <= 5),
    add column allowed_networks text[],
    add column scopes text[],
    add column jwks jsonb,
    add column jwks_uri text,
    add column may_introspect boolean not null default false,
    add column last_used timestamptz,
    add constraint clients_one_source_of_keys check (jwks is null or jwks_uri is null);
  alter table client_secrets add column label text, add column expires timestamptz, add column selector text;
`,
};
