import { createHash } from 'node:crypto';

const ID_CHARACTERS = 16;

/** What a stored secret is called: made from its hash, which has a salt, so it tells nothing of the secret. */
export const secretIdOf = (secretHash: string): string =>
  createHash('sha256').update(secretHash).digest('hex').slice(0, ID_CHARACTERS);

/** The same of a column, in SQL; null where there is no secret. */
export const secretIdColumn = (secretHash: string): string =>
  `left(encode(sha256(convert_to(${secretHash}, 'UTF8')), 'hex'), ${ID_CHARACTERS})`;

/** Writes down that a client's secret was right, at most once a minute: a client that asks for a token with every request has one row. */
export const NOTE_SECRET_USE = `
  insert into client_secrets as s (tenant_id, account_id, secret_id, last_used) values ($1, $2, $3, clock_timestamp())
  on conflict (tenant_id, account_id, secret_id) do update set last_used = excluded.last_used
  where s.last_used is null or s.last_used < excluded.last_used - interval '1 minute'`;
