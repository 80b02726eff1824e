export interface StoredSigningKey {
  readonly kid: string;
  /** Private JWK, encrypted under the master key. */
  readonly privateKeyEncrypted: Uint8Array;
  readonly publicJwk: Readonly<Record<string, unknown>>;
  readonly publishAt: Date;
  readonly signFrom: Date;
  readonly signUntil: Date;
  /** Time at which every token that it signed has expired. */
  readonly expiresAt: Date;
  /** Time from which tokens that it signed are refused; null for a key that is not revoked. */
  readonly refusedFrom: Date | null;
}

/** Revocation of a key. */
export interface KeyRevocation {
  readonly refusedFrom: Date;
  /** Keys with other times, such as the successor that signs earlier. */
  readonly changed: readonly StoredSigningKey[];
}

/** Key of which only the revocation is kept. */
export interface RevokedKey {
  readonly kid: string;
  readonly refusedFrom: Date;
}

/** Key set of the deployment. */
export interface SigningKeys {
  /** Returns the latest revocations, newest first. */
  listRevoked(): Promise<RevokedKey[]>;
  /**
   * Passes the keys to `plan` and revokes the key as it returns. Returns false, and changes nothing, if it returns undefined.
   * @param plan - default: tokens are refused from now on
   */
  revoke(kid: string, plan?: (keys: readonly StoredSigningKey[]) => KeyRevocation | undefined): Promise<boolean>;
  /**
   * Passes the keys to `plan` and stores the new or changed keys that it returns. Only one process does so at a time, so that two hosts
   * that start together do not create two keys.
   */
  update(
    plan: (keys: readonly StoredSigningKey[]) => Promise<readonly StoredSigningKey[]>,
  ): Promise<StoredSigningKey[]>;
}
