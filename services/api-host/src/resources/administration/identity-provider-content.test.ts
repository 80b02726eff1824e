import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import type { IdentityProviderRequest } from '@sluice/contract';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import { openClientSecret, presentProvider, providerContent } from './identity-provider-content.ts';

const box = createSecretBox({ current: randomBytes(32) });
const request: IdentityProviderRequest = {
  issuer: 'https://idp.example.com',
  client_id: 'sluice',
  client_secret: 's1',
};

function storedOf(content: ReturnType<typeof providerContent>['content']): StoredIdentityProvider {
  return { ...content, version: 1, updated: new Date(0), updatedBy: 'me' };
}

const stored = storedOf(providerContent(box, 't', { request, before: undefined }).content);

describe('providerContent', () => {
  it('seals the secret for its tenant, issuer and client', () => {
    expect(openClientSecret(box, 't', stored)).toBe('s1');
    expect(() => openClientSecret(box, 'other', stored)).toThrow();
    expect(() => openClientSecret(box, 't', { ...stored, clientId: 'other' })).toThrow();
    expect(() => openClientSecret(box, 't', { ...stored, issuer: 'https://evil.example' })).toThrow();
  });

  it('keeps the secret of the same client if the request has none', () => {
    const { client_secret: _secret, ...without } = request;
    const { content, isSecretChanged } = providerContent(box, 't', { request: without, before: stored });
    expect(isSecretChanged).toBe(false);
    expect(openClientSecret(box, 't', storedOf(content))).toBe('s1');
  });

  it.each([{ issuer: 'https://evil.example' }, { client_id: 'other' }])(
    'requires a secret for another client: %j',
    (changed) => {
      const { client_secret: _secret, ...without } = { ...request, ...changed };
      expect(() => providerContent(box, 't', { request: without, before: stored })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );

  it('reports whether the secret changes', () => {
    const changed = (secret: string | null) =>
      providerContent(box, 't', { request: { ...request, client_secret: secret }, before: stored }).isSecretChanged;
    expect([changed('s1'), changed('s2'), changed(null)]).toEqual([false, true, true]);
  });

  it('stores no secret for a public client', () => {
    const { content } = providerContent(box, 't', { request: { ...request, client_secret: null }, before: undefined });
    expect(openClientSecret(box, 't', storedOf(content))).toBeNull();
    expect(presentProvider(content).has_client_secret).toBe(false);
  });

  it('never presents the secret', () => {
    expect(JSON.stringify(presentProvider(stored))).not.toContain('s1');
    expect(presentProvider(stored)).not.toHaveProperty('client_secret');
  });
});
