import { types } from 'node:util';
import { ProblemError, type SignInSentence, signInProblem } from '@sluice/contract';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

const codeOf = (thrown: unknown): string => {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' ? code : '';
};

/** Not `instanceof`, because Node's errors may come from another realm. */
const causesOf = (thrown: unknown): readonly Error[] => {
  const causes: Error[] = [];
  for (let each = thrown; types.isNativeError(each) && causes.length < 8; each = each.cause) causes.push(each);
  return causes;
};

/** Returns the ProblemError among the causes of an error, however deep a library has wrapped it. */
export const findProblemError = (thrown: unknown): ProblemError | undefined =>
  causesOf(thrown).find((cause) => cause instanceof ProblemError);

/** RFC 6749 section 4.1.2.1 allows more characters. Messages and records contain only a plain word. */
const plainWord = (error: string): string => (/^[a-z_]{1,64}$/.test(error) ? error : 'an error');

type Values = Readonly<Record<string, string>>;

const unavailable = (name: SignInSentence, cause: unknown, values: Values = {}): ProblemError =>
  signInProblem('service_unavailable', name, { values, cause, retryAfterSeconds: 5 });
const untrusted = (name: SignInSentence, cause: unknown, values: Values = {}): ProblemError =>
  signInProblem('unauthorized', name, { values, cause });

/** Codes of openid-client for a response that violates OpenID Connect without any sign of a forgery. */
const MALFORMED_RESPONSE = new Set([
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_REQUEST_PROTOCOL_FORBIDDEN',
]);

const TEMPORARY = new Set(['server_error', 'temporarily_unavailable']);
/** RFC 6749 section 5.2: errors that an admin of the tenant must fix. */
const MISCONFIGURED = new Set(['invalid_client', 'unauthorized_client', 'unsupported_grant_type', 'invalid_scope']);

const UNAVAILABLE = 'provider_unavailable';

const ofTokenEndpoint = (thrown: ResponseBodyError): ProblemError => {
  const error = plainWord(thrown.error);
  if (MISCONFIGURED.has(error)) return unavailable('provider_misconfigured', thrown, { error });
  if (TEMPORARY.has(error) || thrown.status >= 500) return unavailable(UNAVAILABLE, thrown);
  return untrusted('provider_rejected_code', thrown, { error });
};

/**
 * Returns the problem for the user who logs in: `service_unavailable` if the provider is unavailable or misconfigured, `unauthorized`
 * for a rejected login and for a response that cannot be trusted. The cause is for the log.
 */
export function providerProblem(thrown: unknown): ProblemError {
  const own = findProblemError(thrown);
  if (own !== undefined) return own.code === 'invalid_request' ? unavailable(UNAVAILABLE, thrown) : own;
  if (thrown instanceof AuthorizationResponseError) {
    const error = plainWord(thrown.error);
    if (TEMPORARY.has(error)) return unavailable(UNAVAILABLE, thrown);
    return untrusted('provider_rejected', thrown, { error });
  }
  if (thrown instanceof ResponseBodyError) return ofTokenEndpoint(thrown);
  if (thrown instanceof ClientError && !MALFORMED_RESPONSE.has(codeOf(thrown)) && codeOf(thrown) !== '') {
    return untrusted('provider_not_verified', thrown);
  }
  // Network failures, including a TypeError of fetch, and unknown errors of a library.
  return unavailable(UNAVAILABLE, thrown);
}

/** Returns `service_unavailable` for any fault of a discovery document, because nothing has been verified at that point. */
export const discoveryProblem = (thrown: unknown): ProblemError => unavailable(UNAVAILABLE, thrown);

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'is an unknown host name',
  EAI_AGAIN: 'is a host name that cannot be looked up',
  ECONNRESET: 'closes the connection',
  UND_ERR_SOCKET: 'closes the connection',
};

/** The same for every failed connection into the operator's network, so that an admin of a tenant learns nothing about its ports. */
const UNREACHABLE_LISTED =
  'cannot be reached: ask the operator of this service whether it runs and its certificate is trusted';

/** Describes a failed connection; undefined if the provider has responded. */
function describeConnection(thrown: unknown): string | undefined {
  const codes = causesOf(thrown).map(codeOf);
  const network = codes.find((code) => code in NETWORK);
  if (network !== undefined) return `cannot be reached: it ${NETWORK[network]}`;
  if (codes.some((code) => /CERT|SSL|TLS/.test(code))) return 'cannot be reached: its TLS certificate is not trusted';
  const timedOut = causesOf(thrown).some(({ name }) => /Timeout|Abort/.test(name));
  if (timedOut || codes.includes('OAUTH_TIMEOUT') || codes.includes('OAUTH_ABORT')) {
    return 'does not respond within 5 seconds';
  }
  const hasResponded = thrown instanceof ClientError || codes.some((code) => code.startsWith('OAUTH_'));
  return hasResponded ? undefined : 'cannot be reached';
}

/**
 * Describes the fault of an issuer for the admin who entered it. Continues `issuer ...`. `isListed` says that the operator has allowed
 * its host although it is private.
 */
export function describeDiscoveryFailure(thrown: unknown, { isListed }: { readonly isListed: boolean }): string {
  const own = findProblemError(thrown);
  if (own !== undefined) return own.message;
  const codes = causesOf(thrown).map(codeOf);
  if (codes.includes('UND_ERR_RES_EXCEEDED_MAX_SIZE')) return 'cannot be reached: it returns more than 1 MiB';
  const connection = describeConnection(thrown);
  if (connection !== undefined) return isListed ? UNREACHABLE_LISTED : connection;
  if (codes.includes('OAUTH_RESPONSE_IS_NOT_CONFORM')) {
    return 'has no discovery document: /.well-known/openid-configuration below it does not return 200';
  }
  if (codes.includes('OAUTH_RESPONSE_IS_NOT_JSON') || codes.includes('OAUTH_PARSE_ERROR')) {
    return 'has no discovery document: /.well-known/openid-configuration below it is not JSON';
  }
  if (codes.includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) return 'has a discovery document of another issuer';
  return 'has no discovery document that can be used';
}
