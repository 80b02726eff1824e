import { type Clock, createOpaqueToken, hashOpaqueToken } from '@sluice/auth';
import type { Invitation } from '@sluice/contract';

export interface NewInvitation {
  /** Returned to the caller, only once: the token is not stored in clear. */
  readonly shown: Invitation;
  readonly stored: { readonly tokenHash: Uint8Array; readonly expires: Date };
}

interface InvitationInput {
  readonly tenantName: string;
  /** Address of the API host as the caller sees it. */
  readonly baseUrl: string;
}

/** Makes an invitation to a tenant. */
export type MakeInvitation = (input: InvitationInput) => NewInvitation;

interface MakeInvitationDependencies {
  readonly lifetimeMs: number;
  readonly now: Clock;
}

export const createMakeInvitation =
  ({ lifetimeMs, now }: MakeInvitationDependencies): MakeInvitation =>
  ({ tenantName, baseUrl }) => {
    const token = createOpaqueToken();
    const expires = new Date(now() + lifetimeMs);
    const url = `${baseUrl}/auth/invitation/${tenantName}?token=${token}`;
    return {
      shown: { url, token, expires_ts: expires.getTime() },
      stored: { tokenHash: hashOpaqueToken(token), expires },
    };
  };
