import { ConnectionError } from '../errors.ts';

const NOT_FOUND = (host: string): string => `${host} was not found in DNS. Check the name and the network.`;
const UNTRUSTED = (host: string): string =>
  `The certificate of ${host} is signed by an authority that is not trusted here. Set NODE_EXTRA_CA_CERTS to the file with the certificate of that authority.`;
const NO_TLS = (host: string): string =>
  `${host} did not answer with TLS. Check the port, and whether the URL must begin with http.`;

/** Sentences for the codes of Node.js and OpenSSL. Browsers do not say why a request failed. */
const SENTENCES: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: NOT_FOUND,
  EAI_AGAIN: NOT_FOUND,
  ECONNREFUSED: (host) => `${host} refused the connection. Check the port, and that the host is running.`,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Its operator must renew it.`,
  CERT_NOT_YET_VALID: (host) => `The certificate of ${host} is not valid yet. Check the clock of this computer.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} is for another name. Check the URL.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Returns the code of what made fetch fail, which is its cause. */
function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? String(Reflect.get(cause, 'code')) : '';
}

/**
 * Returns the error for a request that got no response.
 * @param error - what fetch rejected with
 */
export function connectionFailure(url: string, error: unknown): ConnectionError {
  const { host } = new URL(url);
  const sentence = SENTENCES[codeOf(error)]?.(host);
  const message = sentence ?? `${host} could not be reached, or closed the connection. Check the URL and the network.`;
  return new ConnectionError('connection_failed', message, { cause: error });
}
