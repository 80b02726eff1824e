import { createHash } from 'node:crypto';

const ID_CHARACTERS = 16;

/** Returns the id of a stored secret. It is derived from the salted hash, so it reveals nothing about the secret. */
export const secretIdOf = (secretHash: string): string =>
  createHash('sha256').update(secretHash).digest('hex').slice(0, ID_CHARACTERS);

/** Returns the same id as an SQL expression; null when there is no secret. */
export const secretIdColumn = (secretHash: string): string =>
  `left(encode(sha256(convert_to(${secretHash}, 'UTF8')), 'hex'), ${ID_CHARACTERS})`;

/** Stands for a secret in sessions that a client opened with an assertion. Ids of secrets have another length. */
export const ASSERTION_SECRET_ID = 'private_key_jwt';

/** Records that a client used a secret, at most once a minute: a client that requests a token for every request has one row. */
export const NOTE_SECRET_USE = `
  insert into client_secrets as s (tenant_id, account_id, secret_id, last_used) values ($1, $2, $3, clock_timestamp())
  on conflict (tenant_id, account_id, secret_id) do update set last_used = excluded.last_used
  where s.last_used is null or s.last_used < excluded.last_used - interval '1 minute'`;
