import { asProblem, type ProblemError } from '@sluice/contract';
import { bytes, type RouteResponse, stream } from '@sluice/http';
import type { QueryRun } from '../use-cases/queries/query-run.ts';

interface SentFile {
  readonly mediaType: string;
  readonly contentDisposition: string;
}

/** Sends nothing before the first rows are available, so that an earlier failure is an ordinary error response. */
export async function sendFile(run: QueryRun, file: SentFile): Promise<RouteResponse> {
  try {
    await run.begin();
  } catch (thrown) {
    return failedFile(run, asProblem(thrown));
  }
  return stream({
    status: 200,
    mediaType: file.mediaType,
    headers: {
      'x-query-id': run.queryId,
      'x-accel-buffering': 'no',
      'content-disposition': file.contentDisposition,
    },
    body: run.fileBody(),
    onWritten: (chunk) => run.releaseChunk(chunk),
    logsFailures: true,
  });
}

/** Includes the query id, so that the client can find the receipt. The kernel writes the error when the format has no body for a failure. */
function failedFile(run: QueryRun, problem: ProblemError): RouteResponse {
  const headers = { 'x-query-id': run.queryId };
  const body = run.failedBody(problem);
  if (body === undefined) {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
    return stream({
      status: problem.status,
      mediaType: 'application/json',
      headers,
      body: failing,
      logsFailures: true,
    });
  }
  const retry = problem.retryAfterSeconds ?? (problem.status === 503 ? 1 : undefined);
  return bytes(problem.status, 'application/json', body, {
    ...headers,
    ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
  });
}
