import { types } from 'node:util';
import { ProblemError } from '@sluice/contract';

/** No byte came from Trino for as long as we wait. */
export class TransportTimeout extends Error {
  override readonly name = 'TransportTimeout';
  constructor() {
    super('No answer in time');
  }
}

/** The answer was larger than what we hold in memory. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
  constructor() {
    super('The answer is too large');
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
      'The certificate of Trino is not trusted: it is for another host, out of date, or signed by an authority unknown here.',
  },
  {
    code: /^(ERR_SSL|EPROTO|ERR_TLS)/,
    sentence:
      'Trino and this service cannot agree on TLS: the port may speak plain HTTP, or want a client certificate.',
  },
  {
    code: /^HPE_/,
    sentence: 'What answers at the configured address of Trino does not speak HTTP; the port may want https://.',
  },
];

/** What failed before Trino could answer, as a sentence without addresses. Anything else is passed through. */
export function transportProblem(failure: unknown): unknown {
  if (failure instanceof ProblemError) return failure;
  if (failure instanceof ResponseTooLarge) {
    const sentence =
      'A page of the result is larger than what is held in memory: a row of it is too large. Select less of it.';
    return new ProblemError('resource_limit', sentence, { cause: failure });
  }
  if (failure instanceof TransportTimeout) return unavailable('Trino does not answer.', failure);
  const code = errorCode(failure);
  if (code === undefined) return failure;
  const known = SENTENCES.find((entry) => entry.code.test(code));
  return unavailable(known?.sentence ?? 'The connection to Trino was lost.', failure);
}

/** Whether the same request may succeed a moment later: what it failed with is not a matter of configuration. */
export function isTransient(failure: unknown): boolean {
  if (failure instanceof TransportTimeout) return true;
  const code = errorCode(failure);
  return (
    code !== undefined && /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH)$/.test(code)
  );
}

export const unavailable = (sentence: string, cause?: unknown): ProblemError =>
  new ProblemError('engine_unavailable', sentence, cause === undefined ? {} : { cause });

/** Of several addresses that were all tried, the first tells. */
function errorCode(failure: unknown): string | undefined {
  if (!types.isNativeError(failure)) return undefined; // true of errors of Node's own realm too, as `instanceof` may not be
  if ('code' in failure && typeof failure.code === 'string') return failure.code;
  return 'errors' in failure && Array.isArray(failure.errors) ? errorCode(failure.errors[0]) : undefined;
}
