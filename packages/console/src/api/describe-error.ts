import { SluiceError } from '@sluice/client';
import type { MessageKeyWith } from '../i18n/catalog.ts';
import type { Translate } from '../i18n/translate.tsx';

/** A failure as a page shows it. */
export interface DescribedError {
  readonly title: string;
  /** The sentence of the host, which names the fault, or a sentence about the connection. */
  readonly message: string;
  readonly requestId: string | undefined;
}

const TITLES: Readonly<Record<string, MessageKeyWith<never>>> = {
  access_denied: 'error.access_denied',
  conflict: 'error.conflict',
  connection_failed: 'error.connection_failed',
  timeout: 'error.connection_failed',
  not_found: 'error.not_found',
  precondition_failed: 'error.precondition_failed',
  service_unavailable: 'error.service_unavailable',
  server_shutdown: 'error.service_unavailable',
  too_many_requests: 'error.too_many_requests',
  unauthorized: 'error.unauthorized',
  invalid_grant: 'error.unauthorized',
};

/** Returns title and message of what a call of the client threw. */
export function describeError(error: unknown, t: Translate): DescribedError {
  if (!(error instanceof SluiceError))
    return { title: t('error.other'), message: error instanceof Error ? error.message : '', requestId: undefined };
  const { code, message, requestId } = error;
  const title = t(TITLES[code] ?? 'error.other');
  if (code === 'connection_failed') return { title, message: t('error.check-network'), requestId };
  return { title, message, requestId };
}

/** A violation that the host has found. */
interface Violation {
  /** Place in what was sent, such as `users[1].roles[0]`. */
  readonly path: string;
  readonly message: string;
  /** Line of a file. Undefined: what was sent is not a file. */
  readonly line: number | undefined;
}

/** Returns the violations that the host has found in what was sent. */
export const violationsIn = (error: unknown): readonly Violation[] =>
  error instanceof SluiceError
    ? error.details.map(({ path, message, line }) => ({ path: path.replace(/^body\.?/, ''), message, line }))
    : [];

/** Returns the place in the sent statement that an error names. */
export const locationIn = (error: unknown): SluiceError['location'] =>
  error instanceof SluiceError ? error.location : undefined;

/** Checks whether an error says that the user may not see something, or that it does not exist. */
export const isInaccessible = (error: unknown): boolean =>
  error instanceof SluiceError && (error.status === 403 || error.status === 404);

/** Checks whether a call failed because the object does not exist, or not for this user. */
export const isNotFound = (error: unknown): boolean => error instanceof SluiceError && error.code === 'not_found';

/** Checks whether a change was rejected because somebody else has changed the object meanwhile. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof SluiceError && error.code === 'precondition_failed';
