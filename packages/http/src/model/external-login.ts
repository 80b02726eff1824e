/** Client that got a 401, for which a login in a browser may begin. */
export interface ChallengedClient {
  /** Tenant of the host name. */
  readonly tenantName: string | undefined;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** Name that a Trino client gives itself (`X-Trino-Source`). */
  readonly source: string | undefined;
}

/** Addresses of a login in a browser, as drivers of Trino read them in a challenge. */
export interface ExternalLoginAddresses {
  /** Opened in the browser of the user. */
  readonly redirectUrl: string;
  /** Polled by the driver. */
  readonly tokenUrl: string;
}

/** Begins a login. Undefined: none for this client. */
export type BeginExternalLogin = (client: ChallengedClient) => Promise<ExternalLoginAddresses | undefined>;
