import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { CredentialKind, ProblemError } from '@sluice/contract';
import { readCredential } from './credential.ts';

const ALL: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];
const BASIC = `Basic ${Buffer.from('ann:secret').toString('base64')}`;

const requestOf = (...rawHeaders: string[]): IncomingMessage => ({ rawHeaders }) as unknown as IncomingMessage;

const problemOf = (accepted: readonly CredentialKind[], ...rawHeaders: string[]): readonly [string, string] => {
  try {
    readCredential(requestOf(...rawHeaders), accepted);
    return ['none', ''];
  } catch (thrown) {
    const { code, message } = thrown as ProblemError;
    return [code, message];
  }
};

describe('readCredential', () => {
  it.each([
    [['Authorization', BASIC], { kind: 'basic', name: 'ann', secret: 'secret' }],
    [['AUTHORIZATION', 'bEARER   abc'], { kind: 'bearer', token: 'abc' }],
    [['idtoken', 'abc'], { kind: 'idtoken', token: 'abc' }],
    [['idtoken', ' abc ', 'Authorization', ''], { kind: 'idtoken', token: 'abc' }],
    [['X-Other', 'x', 'IdToken', 'abc'], { kind: 'idtoken', token: 'abc' }],
  ])('reads %j', (rawHeaders, credential) => {
    expect(readCredential(requestOf(...rawHeaders), ALL)).toEqual(credential);
  });

  it.each([
    ['Authorization twice', ['Authorization', BASIC, 'authorization', BASIC], 'the header Authorization twice'],
    ['idtoken twice', ['idtoken', 'a', 'idtoken', 'a'], 'the header idtoken twice'],
    ['both headers', ['Authorization', BASIC, 'idtoken', 'a'], 'more than one credential'],
  ])('rejects %s as ambiguous', (_name, rawHeaders, words) => {
    expect(problemOf(ALL, ...rawHeaders)).toEqual(['ambiguous_credentials', expect.stringContaining(words)]);
  });

  it.each([
    ['no header', []],
    ['an unknown scheme', ['Authorization', 'Digest abc']],
    ['a scheme without a token', ['Authorization', 'Bearer']],
    ['a token with a space', ['Authorization', 'Bearer a b']],
    ['malformed Basic', ['Authorization', 'Basic !']],
  ])('rejects %s as unauthorized', (_name, rawHeaders) => {
    expect(problemOf(ALL, ...rawHeaders)[0]).toBe('unauthorized');
  });

  it('names the accepted headers if a kind is not accepted', () => {
    expect(problemOf(['idtoken'], 'Authorization', 'Bearer abc')).toEqual([
      'unauthorized',
      'This kind of credential is not accepted here. Send idtoken: <ID token of a login>.',
    ]);
  });
});
