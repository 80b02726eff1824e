import type { SchemaStep } from './migration.ts';

/**
 * Up to five secrets of a service account, each with a label and an end, and further rules of its access: the networks and permissions to which it
 * is limited (null: no limit), the public keys with which it signs in, and whether it may introspect tokens. `last_used` is the time of its last
 * token, to some minutes.
 *
 * Hosts of the version before know two secrets, those in `secret_hashes`. The others are in `further_secret_hashes`. `selector` is the beginning of a
 * secret, by which one hash is chosen, so that more secrets cost no more hashing; null: a secret of a version before.
 */
export const serviceAccountAccessStep: SchemaStep = {
  name: '0055-service-account-access',
  sql: `
  alter table clients add column further_secret_hashes text[] not null default '{}', add column last_used timestamptz;
  alter table clients add column allowed_networks text[], add column scopes text[], add column jwks jsonb, add column jwks_uri text;
  alter table clients add column may_introspect boolean not null default false;
  alter table client_secrets add column label text, add column expires timestamptz, add column selector text;
`,
};
