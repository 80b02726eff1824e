import { type Clock, createOpaqueToken, hashOpaqueToken } from '@sluice/auth';
import type { Invitation } from '@sluice/contract';

/** An invitation as it is shown, this once, and as it is kept. */
export interface MadeInvitation {
  readonly shown: Invitation;
  readonly kept: { readonly tokenHash: Uint8Array; readonly expires: Date };
}

/** Makes invitations to tenants; `baseUrl` is the API host as whoever hands the invitation on sees it. */
export type MakeInvitation = (to: { readonly tenantName: string; readonly baseUrl: string }) => MadeInvitation;

export const createMakeInvitation =
  ({ lifetimeMs, now }: { readonly lifetimeMs: number; readonly now: Clock }): MakeInvitation =>
  ({ tenantName, baseUrl }) => {
    const token = createOpaqueToken();
    const expires = new Date(now() + lifetimeMs);
    const url = `${baseUrl}/auth/invitation/${tenantName}?token=${token}`;
    return {
      shown: { url, token, expires_ts: expires.getTime() },
      kept: { tokenHash: hashOpaqueToken(token), expires },
    };
  };
