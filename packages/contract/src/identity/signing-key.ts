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
}

/** Key set of the deployment. */
export interface SigningKeys {
  /**
   * Passes the keys to `plan` and stores the new or changed keys that it returns. Only one process does so at a time, so that two hosts
   * that start together do not create two keys.
   */
  update(
    plan: (keys: readonly StoredSigningKey[]) => Promise<readonly StoredSigningKey[]>,
  ): Promise<StoredSigningKey[]>;
}
