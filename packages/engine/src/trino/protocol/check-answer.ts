import { ProblemError } from '@sluice/contract';
import type { HttpAnswer } from './http-client.ts';
import { unavailable } from './transport-failure.ts';

const SENTENCES: Readonly<Record<number, string>> = {
  401: 'Trino does not accept the credentials of this service.',
  404: 'There is no Trino at its configured address, or it does not know this query any more.',
  410: 'Trino does not hold this part of the result any more.',
};
/** Part of an unexpected response, long enough to recognize it in the log. */
const EXCERPT_CHARACTERS = 300;

/** Returns the JSON of a response of the protocol, or throws the ProblemError for anything else, without its address. */
export function checkedBody(answer: HttpAnswer): Buffer {
  const mediaType = answer.headers['content-type'] ?? '';
  if (answer.status === 200) {
    if (mediaType.startsWith('application/json')) return answer.body;
    throw unavailable('The server at the configured address is not Trino: it does not send JSON.', excerpt(answer));
  }
  if (answer.status === 403) {
    const sentence = 'Trino does not allow this service to run statements as you.';
    throw new ProblemError('permission_denied', sentence, { cause: excerpt(answer) });
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw unavailable(
      'The configured address of Trino sends its callers elsewhere (a redirect). Configure the address that it names.',
      excerpt(answer),
    );
  }
  const sentence = SENTENCES[answer.status] ?? `Trino failed to answer (HTTP ${answer.status}).`;
  throw unavailable(sentence, excerpt(answer));
}

/** For the log only. */
const excerpt = (answer: HttpAnswer): Error =>
  new Error(
    `HTTP ${answer.status} ${answer.headers.location ?? ''} ${answer.body.toString('utf8', 0, EXCERPT_CHARACTERS)}`,
  );
