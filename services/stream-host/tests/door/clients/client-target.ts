/** A server that answers Trino's client protocol: Trino itself, or the door. */
export interface ClientTarget {
  /** Origin, without a path. */
  readonly url: string;
  readonly user: string;
  /** Undefined: the server asks for none. */
  readonly password?: string | undefined;
  /** Path of the authority of its certificate, in PEM. Undefined: that of the system, or no TLS. */
  readonly authority?: string | undefined;
  readonly catalog: string;
  readonly schema: string;
}

/** Returns the environment by which a program of `client-programs.ts` finds the server. */
export const environmentOf = (target: ClientTarget): Readonly<Record<string, string>> => ({
  DOOR_URL: target.url,
  DOOR_USER: target.user,
  DOOR_CATALOG: target.catalog,
  DOOR_SCHEMA: target.schema,
  ...(target.password === undefined ? {} : { DOOR_PASSWORD: target.password }),
  ...(target.authority === undefined ? {} : { DOOR_CA: target.authority }),
});
