/** Tokens of a session, for a program that stores them and goes on with the session when it runs again. */
export interface SessionTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** End of the access token in epoch milliseconds. */
  readonly expiresAt: number;
}

/**
 * Stores new tokens. It is awaited before the tokens are used. If it rejects, so does the request that needed them, and the next request
 * calls it again with the same tokens.
 */
export type OnTokens = (tokens: SessionTokens) => Promise<void> | void;

/** E-mail and password of a user. */
export interface PasswordAuth {
  readonly email: string;
  readonly password: string;
  /** Called with the tokens of the login and of each refresh. */
  readonly onTokens?: OnTokens;
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

/**
 * A session that was opened before, such as by an earlier run of the program, for one process at a time. When it has ended, requests throw
 * ResponseError `invalid_grant`. Several processes share a session with TokenProviderAuth and a lock of their own.
 */
export interface StoredSessionAuth {
  /** The last refresh token. It is used once, and then the token that replaced it. */
  readonly refreshToken: string;
  /** Last access token, to be used while it is valid. */
  readonly accessToken?: string | undefined;
  /** End of `accessToken` in epoch milliseconds. */
  readonly expiresAt?: number | undefined;
  /** Client id of the program, if the user has let it log in by OAuth. Default: the session is that of a login with a password. */
  readonly clientId?: string | undefined;
  /** Stores the tokens of each refresh. The refresh token before them no longer works. */
  readonly onTokens: OnTokens;
}

export interface ProvidedToken {
  readonly accessToken: string;
  /** Epoch milliseconds. Undefined: the token is used until a host rejects it. */
  readonly expiresAt?: number | undefined;
}

/** E-mail and password of a user, sent with a request by HTTP Basic (RFC 7617). */
export interface BasicCredentials {
  /** Address that contains no colon. */
  readonly email: string;
  readonly password: string;
}

/** A function that returns a token, for other logins. It is called before the previous token expires, never twice at once. */
export interface TokenProviderAuth {
  readonly token: (signal?: AbortSignal) => Promise<ProvidedToken | string> | ProvidedToken | string;
  /** Sent to the stream host instead of a token until a request is rejected, so that requests to it need no session. */
  readonly basic?: BasicCredentials | undefined;
}

/** Credentials of the client. `undefined` fields are not allowed. */
export type Auth = PasswordAuth | ClientCredentialsAuth | SessionAuth | StoredSessionAuth | TokenProviderAuth;
