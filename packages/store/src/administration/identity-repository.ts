import type { Transaction } from '../database/transaction.ts';
import { revokeSessionsOf } from '../identity/session-revocation.ts';

/** Identity of a person at a provider. Both values never change (OpenID Connect Core section 5.7), unlike an e-mail. */
interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Links between a tenant's users and their identities at an identity provider, within one transaction. */
export interface IdentityRepository {
  /** Returns the user's id. */
  findUserId(identity: Identity): Promise<string | undefined>;
  /** Returns false when the identity belongs to another user, or the user has another identity at this issuer. */
  link(identity: Identity, userId: string): Promise<boolean>;
  /** Returns the subject of the user at an issuer. */
  findSubject(issuer: string, userId: string): Promise<string | undefined>;
  /**
   * Links the user to this identity instead of its previous one at this issuer, and ends the user's sessions. Returns false, and changes
   * nothing, when the identity belongs to another user.
   */
  replace(identity: Identity, userId: string): Promise<boolean>;
}

const FIND_USER_ID = 'select user_id from user_identities where tenant_id = $1 and issuer = $2 and subject = $3';
const FIND_SUBJECT = 'select subject from user_identities where tenant_id = $1 and issuer = $2 and user_id = $3';
const REMOVE = 'delete from user_identities where tenant_id = $1 and issuer = $2 and user_id = $3';
const LINK = `
  insert into user_identities (tenant_id, issuer, subject, user_id) values ($1, $2, $3, $4)
  on conflict do nothing returning user_id`;

export const createIdentityRepository = (transaction: Transaction, tenantId: string): IdentityRepository => {
  const repository: IdentityRepository = {
    async findUserId({ issuer, subject }) {
      const [row] = await transaction.query<{ user_id: string }>(FIND_USER_ID, [tenantId, issuer, subject]);
      return row?.user_id;
    },
    async findSubject(issuer, userId) {
      const [row] = await transaction.query<{ subject: string }>(FIND_SUBJECT, [tenantId, issuer, userId]);
      return row?.subject;
    },
    async link({ issuer, subject }, userId) {
      const made = await transaction.query(LINK, [tenantId, issuer, subject, userId]);
      return made.length > 0;
    },
    async replace(identity, userId) {
      const holder = await repository.findUserId(identity);
      if (holder !== undefined) return holder === userId;
      if ((await repository.findSubject(identity.issuer, userId)) !== undefined) {
        await transaction.query(REMOVE, [tenantId, identity.issuer, userId]);
        await revokeSessionsOf(transaction, { tenantId, kind: 'user', id: userId }, 'identity changed');
      }
      return repository.link(identity, userId);
    },
  };
  return repository;
};
