import { types } from 'node:util';
import { ProblemError } from '@sluice/contract/problems';

/** No byte arrived from Trino within the time limit. */
export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout';
  constructor() {
    super('No response in time');
  }
}

/** The response was larger than the memory limit. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor() {
    super('The response is too large');
  }
}

const SENTENCES: readonly { readonly code: RegExp; readonly sentence: string }[] = [
  {
    code: /^ECONNREFUSED$/,
    sentence: 'Trino refuses the connection. It may be down, or its configured port may be wrong.',
  },
  {
    code: /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EHOSTUNREACH|ENETUNREACH)$/,
    sentence: 'The configured address of Trino cannot be reached: its host is not known or has no route.',
  },
  {
    code: /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/,
    sentence:
      'The certificate of Trino is not trusted: it is for another host, expired, or signed by an unknown authority.',
  },
  {
    code: /^(ERR_SSL|EPROTO|ERR_TLS)/,
    sentence:
      'Trino and this service cannot agree on TLS: the port may use plain HTTP, or require a client certificate.',
  },
  {
    code: /^HPE_/,
    sentence: 'The server at the configured address of Trino does not speak HTTP; the port may need https://.',
  },
];

/** Turns a failure before Trino could respond into a message without addresses. Anything else is returned unchanged. */
export function transportProblem(failure: unknown): unknown {
  if (failure instanceof ProblemError) return failure;
  if (failure instanceof ResponseTooLarge) {
    const sentence = 'A page of the result exceeds the memory limit: one of its rows is too large. Select less data.';
    return new ProblemError('resource_limit', sentence, { cause: failure });
  }
  if (failure instanceof TransportTimeout) return unavailable('Trino does not respond.', failure);
  const code = errorCode(failure);
  if (code === undefined) return failure;
  const known = SENTENCES.find((entry) => entry.code.test(code));
  return unavailable(known?.sentence ?? 'The connection to Trino was lost.', failure);
}

/** Returns whether the same request may succeed a moment later, because the failure is not one of configuration. */
export function isTransient(failure: unknown): boolean {
  if (failure instanceof TransportTimeout) return true;
  const code = errorCode(failure);
  return (
    code !== undefined && /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH)$/.test(code)
  );
}

export const unavailable = (sentence: string, cause?: unknown): ProblemError =>
  new ProblemError('engine_unavailable', sentence, cause === undefined ? {} : { cause });

/** Returns the code of an error of Node.js. If several addresses were tried, it is that of the first. */
function errorCode(failure: unknown): string | undefined {
  if (!types.isNativeError(failure)) return undefined; // true for errors of Node's own realm too, unlike `instanceof`
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  return 'errors' in failure && Array.isArray(failure.errors) ? errorCode(failure.errors[0]) : undefined;
}
