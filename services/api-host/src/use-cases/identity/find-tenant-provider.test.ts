import { expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import {
  createInMemoryAdministration,
  storedProvider,
} from '../../../tests/administration/in-memory-administration.ts';
import { providerContent } from '../../resources/administration/identity-provider-content.ts';
import { createFindTenantProvider } from './find-tenant-provider.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: {} } as const;
const box = createSecretBox({ current: new Uint8Array(32) });

it('the provider of a tenant is found with its secret in clear', async () => {
  const request = { issuer: 'https://idp.example.com', client_id: 'sluice', client_secret: 'top secret' };
  const { content } = providerContent(box, 't', { request, before: undefined });
  const { database } = createInMemoryAdministration({ provider: storedProvider(content) });
  const found = await createFindTenantProvider({ database, box })({ tenant });
  expect(found?.client).toMatchObject({ issuer: request.issuer, clientId: 'sluice', clientSecret: 'top secret' });
});

it('a tenant may have no provider', async () => {
  const { database } = createInMemoryAdministration();
  expect(await createFindTenantProvider({ database, box })({ tenant })).toBeUndefined();
});
