import { randomUUID } from 'node:crypto';

const SANE = /^[\x21-\x7e]{1,128}$/;

/** Returns the caller's request id if it is a valid token, so that both sides can find it, or a new one. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && SANE.test(header) ? header : randomUUID();
