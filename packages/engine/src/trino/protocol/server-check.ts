import { checkedBody } from './checked-body.ts';
import type { HttpResponse } from './http-client.ts';
import { parseJson } from './result-page.ts';
import { unavailable } from './transport-failure.ts';

/** Oldest version with EXECUTE IMMEDIATE, which runs statements with parameters. */
const TRINO_VERSION_MIN = 418;

interface ServerInfo {
  readonly nodeVersion?: { readonly version?: unknown };
  readonly starting?: unknown;
}

/** Checks the response of `/v1/info`. A version that is not a number, as in custom builds, counts as new enough. */
export function checkServer(response: HttpResponse): void {
  const json = parseJson(checkedBody(response).toString('utf8'));
  const info: ServerInfo = typeof json === 'object' && json !== null ? json : {};
  const version = info.nodeVersion?.version;
  if (typeof version !== 'string') {
    throw unavailable('The server at the configured address is not Trino: it has no version.');
  }
  if (info.starting === true) throw unavailable('Trino is starting. Try again in a moment.');
  const number = /^\d+/.exec(version)?.[0];
  if (number !== undefined && Number(number) < TRINO_VERSION_MIN) {
    throw unavailable(
      `Trino is too old: version ${TRINO_VERSION_MIN} or later is required.`,
      new Error(`Version ${version}`),
    );
  }
}
