import { decrypt, deriveKey, encrypt } from './key-encryption.ts';
import { createOpaqueToken, hashOpaqueToken } from './opaque-token.ts';
import type { ValueSeal } from './value-seal.ts';

/** A new ticket: the secret part of its URL, and what is stored. */
export interface SealedTicket {
  /** 256 random bits. They are never stored. */
  readonly id: string;
  /** Key under which `sealed` is stored. It does not reveal the id. */
  readonly key: string;
  readonly sealed: string;
}

/**
 * Protects the contents of tickets in a store that others may read and write. Only the holder of the id can decrypt the content, and
 * only a host that has the key of the seal can create one.
 */
export interface TicketSeal {
  create(content: object): Promise<SealedTicket>;
  keyOf(id: string): string;
  /** Returns undefined for anything that `create` did not return for this id. */
  open(id: string, sealed: string): Promise<unknown>;
}

const PURPOSE = 'sluice ticket';

const keyOf = (id: string): string => Buffer.from(hashOpaqueToken(id)).toString('base64url');

/** `seal` is called for each ticket, so that its key may be read when it is first needed. */
export const createTicketSeal = (seal: () => ValueSeal | Promise<ValueSeal>): TicketSeal => ({
  keyOf,
  async create(content) {
    const id = createOpaqueToken();
    const key = keyOf(id);
    const encrypted = encrypt(deriveKey(id, PURPOSE), Buffer.from(JSON.stringify(content)), PURPOSE);
    return { id, key, sealed: (await seal()).seal(encrypted.toString('base64url'), [PURPOSE, key]) };
  },
  async open(id, sealed) {
    const encrypted = (await seal()).open(sealed, [PURPOSE, keyOf(id)]);
    if (encrypted === undefined) return undefined;
    return JSON.parse(decrypt(deriveKey(id, PURPOSE), Buffer.from(encrypted, 'base64url'), PURPOSE).toString());
  },
});
