import type { Transaction } from '../database/transaction.ts';

export interface NewInvitation {
  /** SHA-256 of the token. */
  readonly tokenHash: Uint8Array;
  /** Null: the person who accepts it enters an e-mail and becomes a user with `roles`. */
  readonly userId: string | null;
  readonly roles: readonly string[];
  readonly expires: Date;
  readonly by: string;
}

export interface OpenInvitation {
  readonly userId: string | null;
  /** Null for an invitation without a user. */
  readonly email: string | null;
  readonly roles: readonly string[];
  readonly by: string;
}

/** Invitations of one tenant, within one transaction. */
export interface InvitationRepository {
  /** Replaces an earlier invitation of the same user. */
  insert(invitation: NewInvitation): Promise<void>;
  /** Returns undefined when the invitation is unknown, used or expired, or its user is disabled. */
  find(tokenHash: Uint8Array): Promise<OpenInvitation | undefined>;
  /** Removes the invitations of a user; null: those without a user. */
  removeOf(userId: string | null): Promise<void>;
  remove(tokenHash: Uint8Array): Promise<void>;
}

const INSERT = `
  insert into invitations (tenant_id, token_hash, user_id, roles, expires, created_by) values ($1, $2, $3, $4, $5, $6)`;

const FIND = `
  select i.user_id as "userId", u.email, i.roles, i.created_by as by
  from invitations i left join users u on u.tenant_id = i.tenant_id and u.id = i.user_id
  where i.tenant_id = $1 and i.token_hash = $2 and i.expires > now() and not coalesce(u.disabled, false)`;

const REMOVE_OF = `
  delete from invitations where tenant_id = $1 and (user_id = $2 or ($2::uuid is null and user_id is null))`;

export const createInvitationRepository = (transaction: Transaction, tenantId: string): InvitationRepository => {
  const removeOf = async (userId: string | null): Promise<void> => {
    await transaction.query(REMOVE_OF, [tenantId, userId]);
  };

  return {
    removeOf,
    async insert({ tokenHash, userId, roles, expires, by }) {
      if (userId !== null) await removeOf(userId);
      await transaction.query(INSERT, [tenantId, tokenHash, userId, roles, expires, by]);
    },
    async find(tokenHash) {
      const [row] = await transaction.query<OpenInvitation>(FIND, [tenantId, tokenHash]);
      return row;
    },
    async remove(tokenHash) {
      await transaction.query('delete from invitations where tenant_id = $1 and token_hash = $2', [
        tenantId,
        tokenHash,
      ]);
    },
  };
};
