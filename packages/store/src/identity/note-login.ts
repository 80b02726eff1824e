import { prepared } from '../database/transaction.ts';

/** Whether the time of a login of the user `u` has to be written: at most every five minutes, so that a program that logs in often writes little. */
export const LOGIN_NOTE_DUE = `(u.last_login is null or u.last_login < clock_timestamp() - interval '5 minutes')`;

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
