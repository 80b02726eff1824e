/** E-mail and password of a user. */
export interface PasswordAuth {
  readonly email: string;
  readonly password: string;
}

/** Client credentials of a service account (RFC 6749 section 4.4). */
export interface ClientCredentialsAuth {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The session cookie of a browser login. The page must be served by the API host, or by an allowed origin on the same site. */
export interface SessionAuth {
  readonly session: 'cookie';
}

export interface ProvidedToken {
  readonly accessToken: string;
  /** Epoch milliseconds. Undefined: the token is used until a host rejects it. */
  readonly expiresAt?: number | undefined;
}

/** A function that returns a token, for other logins. It is called before the previous token expires, never twice at once. */
export interface TokenProviderAuth {
  readonly token: (signal?: AbortSignal) => Promise<ProvidedToken | string> | ProvidedToken | string;
}

/** How the client proves who it is; `undefined` fields are not allowed. */
export type Auth = PasswordAuth | ClientCredentialsAuth | SessionAuth | TokenProviderAuth;
