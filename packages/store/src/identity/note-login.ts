import { prepared } from '../database/transaction.ts';

/** Whether the time of a login of the user `u` has to be written: at most every five minutes, so that a program that logs in often writes little. */
export const LOGIN_NOTE_DUE = `(u.last_login is null or u.last_login < clock_timestamp() - interval '5 minutes')`;

/** The same for a token of the client `c`. */
export const CLIENT_NOTE_DUE = `(c.last_used is null or c.last_used < clock_timestamp() - interval '5 minutes')`;

/**
 * Writes the time of a login. The version of the user stays, because nothing that an admin manages has changed. Skips a row that another login or an admin has locked: that
 * login writes the time, or the next one does.
 */
export const NOTE_LOGIN = prepared(
  'note_login',
  `
  update users u set last_login = clock_timestamp()
  where u.tenant_id = $1 and u.id = (select id from users where tenant_id = $1 and id = $2 for no key update skip locked) and ${LOGIN_NOTE_DUE}`,
);

/** Writes the time of a token of a client, in the same way. */
export const NOTE_CLIENT_USE = prepared(
  'note_client_use',
  `
  update clients c set last_used = clock_timestamp()
  where c.tenant_id = $1 and c.id = (select id from clients where tenant_id = $1 and id = $2 for no key update skip locked) and ${CLIENT_NOTE_DUE}`,
);
