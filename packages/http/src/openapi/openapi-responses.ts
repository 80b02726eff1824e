import type { ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { type Operation, type OperationAnswer, PROBLEMS, type ProblemCode } from '@sluice/contract';
import { problemsByStatus } from './openapi-problems.ts';

const header = (description: string) => ({ description, schema: { type: 'string' as const } });
const REQUEST_ID = { 'X-Request-Id': header('Finds this request in our log') };

function headersOf(status: number) {
  return {
    ...REQUEST_ID,
    ...(status === 401 ? { 'WWW-Authenticate': header('What to send (RFC 9110 section 11.6.1)') } : {}),
    ...(status === 429 || status === 503 ? { 'Retry-After': header('Seconds') } : {}),
  };
}

function answerResponse(status: number, answer: OperationAnswer): ResponseConfig {
  const { description, mediaType, schema } = answer;
  const base = { description, headers: headersOf(status) };
  if (mediaType === undefined) return base;
  return { ...base, content: { [mediaType]: schema === undefined ? {} : { schema } } };
}

function problemResponse(status: number, codes: readonly ProblemCode[], oauthErrors: boolean): ResponseConfig {
  const $ref = `#/components/schemas/${oauthErrors ? 'OAuthError' : 'Error'}`;
  // RFC 6749 has words of its own for some of our codes, so there the list would not be true.
  const schema = oauthErrors ? { $ref } : { allOf: [{ $ref }, { properties: { error: { enum: [...codes] } } }] };
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].summary}`).join('\n\n'),
    headers: headersOf(status),
    content: { 'application/json': { schema } },
  };
}

/** All responses of an operation by status; where an answer and a problem share one, the answer describes it. */
export function responsesOf(operation: Operation): Record<string, ResponseConfig> {
  const problems = [...problemsByStatus(operation)].map(([status, codes]): [string, ResponseConfig] => [
    String(status),
    problemResponse(status, codes, operation.oauthErrors === true),
  ]);
  const answers = Object.entries(operation.answers).map(([status, answer]): [string, ResponseConfig] => [
    status,
    answerResponse(Number(status), answer),
  ]);
  return Object.fromEntries([...problems, ...answers]);
}
