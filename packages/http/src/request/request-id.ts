import { randomUUID } from 'node:crypto';

const SANE = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id when it is a sane token, so that both sides can find it; a new one otherwise. */
export const requestIdOf = (header: string | undefined): string =>
  header !== undefined && SANE.test(header) ? header : randomUUID();
