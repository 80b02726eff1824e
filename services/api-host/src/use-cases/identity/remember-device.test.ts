import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import { createRememberDevice } from './remember-device.ts';

const login = { tenantId: 't', userId: 'u', sent: 'cookie' };

describe('rememberDevice', () => {
  it('returns the sent cookie if it belongs to the account', async () => {
    const remember = createRememberDevice({ devices: { remember: async () => 'sent' } });
    expect(await remember(login)).toBe('cookie');
  });

  it('returns a new cookie, which is stored by its hash, if the sent one is not of the account', async () => {
    const stored: Uint8Array[] = [];
    const remember = createRememberDevice({
      devices: {
        remember: async ({ newHash }) => {
          stored.push(newHash);
          return 'new';
        },
      },
    });
    const cookie = await remember({ ...login, sent: undefined });
    expect(stored).toEqual([hashOpaqueToken(cookie ?? '')]);
  });

  it('returns no cookie if the device cannot be stored', async () => {
    const unavailable = new ProblemError('service_unavailable', 'Down.');
    const remember = createRememberDevice({ devices: { remember: () => Promise.reject(unavailable) } });
    expect(await remember(login)).toBeUndefined();
  });
});
