import { createOpaqueToken, hashOpaqueToken } from '@sluice/auth';
import type { AuthorizationCodeStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { ValidAuthorizationRequest } from './check-authorization-request.ts';
import type { BrowserSession } from './find-browser-session.ts';

/** RFC 6749 section 4.1.2 allows ten minutes at most. A program redeems its code at once. */
const CODE_LIFETIME_MS = 60_000;

export interface ApproveProgramInput {
  readonly request: ValidAuthorizationRequest;
  /** Session of the user who consented. */
  readonly session: BrowserSession;
}

/** Stores the consent of a user to the login of a program, and returns the code of it. */
type ApproveProgram = (caller: Pick<AnonymousCaller, 'tenant'>, input: ApproveProgramInput) => Promise<string>;

export const createApproveProgram =
  ({ codes }: { readonly codes: Pick<AuthorizationCodeStore, 'begin'> }): ApproveProgram =>
  async ({ tenant }, { request, session }) => {
    const code = createOpaqueToken();
    const { client, redirectUri, challenge, scope, targets, nonce } = request;
    await codes.begin({
      tenantId: tenant.id,
      codeHash: hashOpaqueToken(code),
      oauthClient: client.id,
      redirectUri,
      challenge,
      scope,
      targets,
      nonce,
      accountId: session.account.id,
      approvedIn: session.sid,
      lifetimeMs: CODE_LIFETIME_MS,
    });
    return code;
  };
