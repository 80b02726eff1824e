import { describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createLocalKeySource, importPublicKeys } from './key-source.ts';

const jwkOf = async (kid: string, algorithm = 'ES256'): Promise<JWK> => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid };
};

describe('importPublicKeys', () => {
  it('imports ES256 keys only, and never a private member', async () => {
    const ours = await jwkOf('ours');
    const { kid: _kid, ...anonymous } = ours;
    const { x: _x, ...incomplete } = ours;
    const others = [await jwkOf('curve', 'ES384'), await jwkOf('rsa', 'RS256'), anonymous, incomplete];
    const keys = await importPublicKeys([...others, ours]);
    expect([...keys.keys()]).toEqual(['ours']);
    expect(ours.d).toBeDefined();
    expect(keys.get('ours')?.type).toBe('public');
  });
});

describe('createLocalKeySource', () => {
  it('finds the keys that the ring publishes now, and imports each once', async () => {
    const published: JWK[] = [await jwkOf('one')];
    const source = createLocalKeySource({ publicJwks: () => published });
    const first = await source.find('one');
    expect(first?.type).toBe('public');
    expect(await source.find('one')).toBe(first);
    expect(await source.find('two')).toBeUndefined();
    published.splice(0, 1, await jwkOf('two'));
    expect(await source.find('one')).toBeUndefined();
    expect((await source.find('two'))?.type).toBe('public');
  });
});
