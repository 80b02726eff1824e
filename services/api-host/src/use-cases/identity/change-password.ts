import type { Passwords, RequestOrigin, SecretVerifier } from '@sluice/auth';
import { type Caller, invalidRequest, ProblemError } from '@sluice/contract';
import type { ResourceDatabase } from '@sluice/store/resources';

export interface ChangePasswordInput {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly origin: RequestOrigin;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Replaces the password of the caller and ends all other sessions of the account. Throws `invalid_request` for a wrong current password,
 * which counts as a failed login of this session, `too_many_requests`, and `conflict` for an account without a password.
 */
type ChangePassword = (caller: Caller, input: ChangePasswordInput) => Promise<void>;

interface ChangePasswordDependencies {
  readonly database: Pick<ResourceDatabase, 'change' | 'read'>;
  readonly secrets: SecretVerifier;
  readonly passwords: Pick<Passwords, 'hash'>;
}

const WITHOUT_PASSWORD = {
  user: 'This account has no password: it signs in at the identity provider of the tenant.',
  client: 'A service account has no password: an admin of the tenant changes its secrets.',
} as const;

/** Not `unauthorized`: the credential of the request is valid, and clients log in anew after a 401. */
const wrongPassword = (cause?: unknown): ProblemError =>
  invalidRequest({ path: 'body.current_password', message: 'is not the password of this account' }, { cause });

export function createChangePassword({ database, secrets, passwords }: ChangePasswordDependencies): ChangePassword {
  const requirePassword = async (caller: Caller): Promise<void> => {
    const { kind, id } = caller.principal;
    const user = kind === 'user' ? await database.read(caller, ({ users }) => users.find(id)) : undefined;
    if (user?.has_password !== true) throw new ProblemError('conflict', WITHOUT_PASSWORD[kind]);
  };

  /** Returns the stored hash that the current password matches. */
  const verify = async ({ principal }: Caller, input: ChangePasswordInput): Promise<string> => {
    const { tenant, id, name, sessionId } = principal;
    const attempt = {
      tenantName: tenant.name,
      method: 'password_change',
      name,
      secret: input.currentPassword,
      origin: input.origin,
      session: sessionId === undefined ? undefined : { sessionId, accountId: id },
      signal: input.signal,
    } as const;
    try {
      return (await secrets.verify(attempt)).secretHash;
    } catch (thrown) {
      throw thrown instanceof ProblemError && thrown.code === 'unauthorized' ? wrongPassword(thrown) : thrown;
    }
  };

  return async (caller, input) => {
    const { kind, id, name, sessionId } = caller.principal;
    await requirePassword(caller);
    const verifiedHash = await verify(caller, input);
    const passwordHash = await passwords.hash(input.newPassword);
    await database.change(caller, async (tx) => {
      // Hashing takes a while, in which an admin may have reset the password.
      const isReplaced = await tx.users.replacePassword(id, { verifiedHash, passwordHash, by: tx.by });
      if (!isReplaced) throw wrongPassword();
      const ended = await tx.sessions.endOthers({ kind, id }, sessionId, 'password changed');
      await tx.record('CHANGE_PASSWORD', name, { user_id: id, ended_sessions: ended.length });
    });
  };
}
