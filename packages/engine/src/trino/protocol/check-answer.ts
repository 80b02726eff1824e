import { ProblemError } from '@sluice/contract';
import type { HttpAnswer } from './http-client.ts';
import { unavailable } from './transport-failure.ts';

const SENTENCES: Readonly<Record<number, string>> = {
  401: 'Trino does not accept the credentials of this service.',
  404: 'There is no Trino at its configured address, or it does not know this query any more.',
  410: 'Trino does not hold this part of the result any more.',
};
/** Of an answer that nobody expected, enough to recognise it in the log. */
const EXCERPT_CHARACTERS = 300;

/** The JSON of an answer of the protocol, or the ProblemError that says what came instead, without its address. */
export function checkedBody(answer: HttpAnswer): Buffer {
  const mediaType = answer.headers['content-type'] ?? '';
  if (answer.status === 200) {
    if (mediaType.startsWith('application/json')) return answer.body;
    throw unavailable(
      'What answers at the configured address of Trino is not Trino: it sends no JSON.',
      excerpt(answer),
    );
  }
  if (answer.status === 403) {
    const sentence = 'Trino does not let this service run statements as you.';
    throw new ProblemError('permission_denied', sentence, { cause: excerpt(answer) });
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw unavailable(
      'The configured address of Trino sends its callers elsewhere. Configure the address it names.',
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
