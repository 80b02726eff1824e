import { ResponseError } from '../errors.ts';

/** Reads a JSON body; undefined for 204 and 304. A body that is not JSON is `unexpected_response`. */
export async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  try {
    return await response.json();
  } catch (cause) {
    const { host } = new URL(response.url);
    const message = `${host} did not return valid JSON. Check the URL and the proxies on the way.`;
    const requestId = response.headers.get('x-request-id') ?? undefined;
    throw new ResponseError('unexpected_response', message, { status: response.status, requestId, cause });
  }
}
