import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBasic } from './basic-credential.ts';

const encode = (text: string | Buffer) => Buffer.from(text).toString('base64');

describe('decodeBasic', () => {
  it.each([
    ['ann:secret', { name: 'ann', secret: 'secret' }],
    ['ann:a:b:c', { name: 'ann', secret: 'a:b:c' }],
    ['ann::', { name: 'ann', secret: ':' }],
    ['änn:pä 漢', { name: 'änn', secret: 'pä 漢' }],
    ['ann: ', { name: 'ann', secret: ' ' }],
  ])('reads %j', (text, credential) => {
    expect(decodeBasic(encode(text))).toEqual(credential);
  });

  it.each([
    ['no colon', encode('ann')],
    ['no name', encode(':secret')],
    ['no secret', encode('ann:')],
    ['NUL', encode('ann:a\0b')],
    ['a line break', encode('ann:a\nb')],
    ['bytes that are not UTF-8', encode(Buffer.from([0x61, 0x3a, 0xff]))],
    ['text that is not base64', '!!!'],
    ['base64 followed by another character', `${encode('ann:secret')}*`],
    ['an empty string', ''],
  ])('rejects %s', (_name, token) => {
    expect(decodeBasic(token)).toBeUndefined();
  });

  it('returns what was encoded', () => {
    const clean = fc
      .string({ unit: 'binary', minLength: 1 })
      .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(
        clean.filter((name) => !name.includes(':')),
        clean,
        (name, secret) => {
          expect(decodeBasic(encode(`${name}:${secret}`))).toEqual({ name, secret });
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (token) => void decodeBasic(token)));
  });
});
