import { expect, it } from '@jest/globals';
import { emailText, tagList } from '@sluice/contract';
import { redactText } from '@sluice/observability';
import { findNonlinearGrowth, repeatedStrings, shortOrLong } from '@sluice/testkit';
import type { Request } from 'express';
import { chooseCoding } from '../response/content-coding.ts';
import { matchedVersion } from './entity-tag.ts';
import { findJsonFault } from './find-json-fault.ts';
import { findJsonPositions } from './find-json-positions.ts';
import { checkHost, tenantNameReader } from './host-name.ts';
import { mediaTypeOf } from './media-type.ts';
import { parseForm } from './parse-form.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml, parseYamlPart } from './parse-yaml.ts';
import { cookieReader } from './readers.ts';

/** A request with a header as Node reads it: each byte is one character. */
const withHeader = (name: string, text: string): Request => {
  const value = Buffer.from(text, 'utf8').toString('latin1');
  const headers: Record<string, string> = { host: 'a', [name]: value };
  return {
    headers,
    get: (wanted: string) => headers[wanted],
    rawHeaders: ['host', 'a'],
    url: '/',
  } as unknown as Request;
};
const tenantOf = tenantNameReader('stream.*');

/** Everything that reads a request before it is known who sent it, and what takes secrets out of a log line. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'a JSON body': (text) => parseJson(Buffer.from(text)),
  'a JSON text': (text) => parseJson(Buffer.from(`{"a":"${text}"}`)),
  'a JSON body that is cut': (text) => findJsonFault(`{"a":"${text}",${text}`),
  'the places of a JSON body': (text) => findJsonPositions(JSON.stringify([text, { [text]: text }]), [[0], [1, text]]),
  'a YAML body': (text) => parseYaml(Buffer.from(text)),
  'a part of a YAML file': (text) => parseYamlPart(text),
  'a form': (text) => parseForm(text, { part: 'body' }),
  'a link': (text) => parseForm(text, { part: 'query', repeatablePrefix: text.slice(0, 1) }),
  cookies: (text) => cookieReader(withHeader('cookie', text)).get('a'),
  'a media type': (text) => mediaTypeOf(withHeader('content-type', `application/json;${text}`), ['application/json']),
  'an entity tag': (text) => matchedVersion({ get: () => text }),
  'a host name': (text) => [tenantOf(text), checkHost(withHeader('host', text))],
  'accepted codings': chooseCoding,
  'an e-mail address': (text) => emailText('email').safeParse(`a@${text}`),
  tags: (text) => tagList('tags').safeParse([text]),
  'secrets in a log line': redactText,
};
const STRINGS = repeatedStrings(shortOrLong(3, 10, 400));

it.each(Object.entries(READERS))('%s runs in linear time for any repeated text', (_name, read) => {
  expect(STRINGS.map((text) => findNonlinearGrowth(read, text)).find(Boolean)).toBeUndefined();
});
