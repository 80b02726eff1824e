import { ProblemError } from '@sluice/contract/problems';
import type { HttpResponse } from './http-client.ts';
import { unavailable } from './transport-failure.ts';

const SENTENCES: Readonly<Record<number, string>> = {
  401: 'Trino does not accept the credentials of this service.',
  404: 'There is no Trino at the configured address, or it does not know this query any more.',
  410: 'Trino does not hold this part of the result any more.',
};
/** Part of an unexpected response, long enough to recognize it in the log. */
const EXCERPT_CHARACTERS = 300;

/** Returns the JSON of a response of the protocol, or throws the ProblemError for anything else, without its address. */
export function checkedBody(response: HttpResponse): Buffer {
  const mediaType = response.headers['content-type'] ?? '';
  if (response.status === 200) {
    if (mediaType.startsWith('application/json')) return response.body;
    throw unavailable('The server at the configured address is not Trino: it does not send JSON.', excerpt(response));
  }
  if (response.status === 403) {
    const sentence = 'Trino does not allow this service to run statements as you.';
    throw new ProblemError('permission_denied', sentence, { cause: excerpt(response) });
  }
  if (response.status >= 300 && response.status < 400) {
    throw unavailable(
      'The configured address of Trino redirects to another address. Configure that address instead.',
      excerpt(response),
    );
  }
  const sentence = SENTENCES[response.status] ?? `Trino failed (HTTP ${response.status}).`;
  throw unavailable(sentence, excerpt(response));
}

/** Creates an error with the start of a response, for the log only. */
const excerpt = (response: HttpResponse): Error =>
  new Error(
    `HTTP ${response.status} ${response.headers.location ?? ''} ${response.body.toString('utf8', 0, EXCERPT_CHARACTERS)}`,
  );
