import { checkedBody } from './check-answer.ts';
import type { HttpAnswer } from './http-client.ts';
import { parseJson } from './result-page.ts';
import { unavailable } from './transport-failure.ts';

/** The protocol as it is read here is that of this version and later ones. */
export const TRINO_VERSION_MIN = 400;

interface ServerInfo {
  readonly nodeVersion?: { readonly version?: unknown };
  readonly starting?: unknown;
}

/** Judges the answer of `/v1/info`. A version that is no number, as builds of one's own have, is believed to be new enough. */
export function checkServer(answer: HttpAnswer): void {
  const told = parseJson(checkedBody(answer).toString('utf8'));
  const info: ServerInfo = typeof told === 'object' && told !== null ? told : {};
  const version = info.nodeVersion?.version;
  if (typeof version !== 'string') {
    throw unavailable('What answers at the configured address of Trino is not Trino: it has no version.');
  }
  if (info.starting === true) throw unavailable('Trino is starting. Try again in a moment.');
  const number = /^\d+/.exec(version)?.[0];
  if (number !== undefined && Number(number) < TRINO_VERSION_MIN) {
    throw unavailable(
      `Trino is too old: version ${TRINO_VERSION_MIN} or later is needed.`,
      new Error(`Version ${version}`),
    );
  }
}
