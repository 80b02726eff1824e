import type { Transaction } from '../database/transaction.ts';

/** A person as a provider knows one: both never change (OpenID Connect Core section 5.7), which an e-mail may. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Who of a tenant's users is who at an identity provider, within one transaction. */
export interface IdentityRows {
  /** The user's id. */
  findUserId(identity: Identity): Promise<string | undefined>;
  /** False when the identity is another user's, or the user is somebody else there. */
  link(identity: Identity, userId: string): Promise<boolean>;
}

export const identityRows = (transaction: Transaction, tenantId: string): IdentityRows => ({
  async findUserId({ issuer, subject }) {
    const [row] = await transaction.query<{ user_id: string }>(
      'select user_id from user_identities where tenant_id = $1 and issuer = $2 and subject = $3',
      [tenantId, issuer, subject],
    );
    return row?.user_id;
  },
  async link({ issuer, subject }, userId) {
    const made = await transaction.query(
      `insert into user_identities (tenant_id, issuer, subject, user_id) values ($1, $2, $3, $4)
       on conflict do nothing returning user_id`,
      [tenantId, issuer, subject, userId],
    );
    return made.length > 0;
  },
});
