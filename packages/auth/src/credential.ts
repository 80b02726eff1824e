import type { IncomingMessage } from 'node:http';
import { type CredentialKind, ProblemError } from '@sluice/contract';
import { type BasicCredential, decodeBasic } from './basic-credential.ts';

/** The one credential of a request, not verified yet. */
export type Credential =
  | ({ readonly kind: 'basic' } & BasicCredential)
  | { readonly kind: 'idtoken' | 'bearer'; readonly token: string };

const WHAT_TO_SEND: Readonly<Record<CredentialKind, string>> = {
  basic: 'Authorization: Basic <e-mail and password>',
  idtoken: 'idtoken: <ID token of a login>',
  bearer: 'Authorization: Bearer <access token>',
};

/** Returns a 401 that names the headers to send. */
export const unauthorized = (accepted: readonly CredentialKind[], reason: string): ProblemError =>
  new ProblemError('unauthorized', `${reason} Send ${accepted.map((kind) => WHAT_TO_SEND[kind]).join(', or ')}.`);

/** Node joins or drops repeated headers, depending on the header. Only `rawHeaders` shows the repetition. */
const valuesOf = (request: IncomingMessage, name: string): string[] => {
  const values: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === name) values.push(request.rawHeaders[index + 1]?.trim() ?? '');
  }
  return values;
};

const readAuthorization = (value: string): Credential | undefined => {
  // RFC 9110 section 11.4: the scheme is case-insensitive and followed by one or more spaces.
  const [, scheme, token] = /^(\S+) +(\S+)$/.exec(value) ?? [];
  if (scheme === undefined || token === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return { kind: 'bearer', token };
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const basic = decodeBasic(token);
  return basic && { kind: 'basic', ...basic };
};

/**
 * Reads the one credential of a request. Throws `ambiguous_credentials` for two instead of choosing one, and `unauthorized` for a
 * missing or malformed one or a kind that is not accepted here.
 */
export function readCredential(request: IncomingMessage, accepted: readonly CredentialKind[]): Credential {
  const authorizations = valuesOf(request, 'authorization');
  const idtokens = valuesOf(request, 'idtoken');
  const sent = [...authorizations, ...idtokens].filter((value) => value !== '');
  const repeated = authorizations.length > 1 ? 'Authorization' : idtokens.length > 1 ? 'idtoken' : undefined;
  if (repeated !== undefined) {
    throw new ProblemError('ambiguous_credentials', `The request has the header ${repeated} twice. Send exactly one.`);
  }
  if (sent.length > 1) {
    throw new ProblemError('ambiguous_credentials', 'The request carries more than one credential. Send exactly one.');
  }
  const [value] = sent;
  if (value === undefined) throw unauthorized(accepted, 'The request carries no credential.');
  const credential: Credential | undefined =
    idtokens[0] === value ? { kind: 'idtoken', token: value } : readAuthorization(value);
  if (credential === undefined) throw unauthorized(accepted, 'The credential is malformed.');
  if (!accepted.includes(credential.kind))
    throw unauthorized(accepted, 'This kind of credential is not accepted here.');
  return credential;
}
