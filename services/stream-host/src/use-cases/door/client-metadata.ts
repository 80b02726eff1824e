import type { ClientSession } from '@sluice/trino-protocol';

/** Limits of what a client says about itself in the record of a statement. */
const TEXT_CHARACTERS_MAX = 1_000;
const TAGS_MAX = 100;
const TAG_CHARACTERS_MAX = 200;

/** Returns what the audit record of a statement says about its client, as the client says it. */
export function clientMetadata(session: ClientSession): Readonly<Record<string, string | readonly string[]>> {
  const { source, clientInfo, clientTags, traceToken, transactionId } = session;
  const texts = { source, client_info: clientInfo, trace_token: traceToken, transaction: transactionId };
  const given = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined || text === '' ? [] : [[name, bounded(text, TEXT_CHARACTERS_MAX)] as const],
  );
  const tags = clientTags.slice(0, TAGS_MAX).map((tag) => bounded(tag, TAG_CHARACTERS_MAX));
  return { ...Object.fromEntries(given), ...(tags.length === 0 ? {} : { client_tags: tags }) };
}

/** PostgreSQL's JSON has no NUL and no lone surrogate. */
const bounded = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).toWellFormed().replaceAll('\0', '');
