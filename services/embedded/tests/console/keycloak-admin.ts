/** Administrator of the server in memory that `deploy/components/keycloak.mjs` starts. */
const ADMIN = { username: 'admin', password: 'admin-of-the-tests' };

interface Client {
  readonly id: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Changes to the client of the realm. */
interface ClientChanges {
  /** Asks users for consent. */
  readonly consentRequired?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Administration of a realm by the REST interface of Keycloak. */
export interface KeycloakAdmin {
  changeClient(clientId: string, changes: ClientChanges): Promise<void>;
  /** Ends all sessions of a user. */
  logOutUser(username: string): Promise<void>;
  /** Forgets what a user has consented to. */
  forgetConsent(username: string, clientId: string): Promise<void>;
}

/** @param issuer - for example `http://127.0.0.1:28180/realms/sluice` */
export function createKeycloakAdmin(issuer: string): KeycloakAdmin {
  const [, base = '', realm = ''] = /^(.*)\/realms\/([^/]+)$/.exec(issuer) ?? [];

  const logIn = async (): Promise<string> => {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
    const response = await fetch(`${base}/realms/master/protocol/openid-connect/token`, { method: 'POST', body: form });
    if (!response.ok)
      throw new Error(
        `Keycloak refused its administrator (${response.status}). Start it anew with deploy/components/keycloak.mjs.`,
      );
    return ((await response.json()) as { access_token: string }).access_token;
  };

  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${base}/admin/realms/${realm}${path}`, {
      method,
      headers: { authorization: `Bearer ${await logIn()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    throw new Error(`${method} ${path} at Keycloak returned ${response.status}: ${await response.text()}`);
  };
  const findOne = async <Found>(path: string): Promise<Found> => {
    const [found] = (await (await ask('GET', path)).json()) as Found[];
    if (found === undefined) throw new Error(`Keycloak has nothing at ${path}`);
    return found;
  };
  const userId = async (username: string): Promise<string> =>
    (await findOne<{ readonly id: string }>(`/users?exact=true&username=${username}`)).id;

  return {
    changeClient: async (clientId, { attributes, ...changes }) => {
      const client = await findOne<Client>(`/clients?clientId=${clientId}`);
      const merged = { ...client, ...changes, attributes: { ...client.attributes, ...attributes } };
      await ask('PUT', `/clients/${client.id}`, merged);
    },
    logOutUser: async (username) => void (await ask('POST', `/users/${await userId(username)}/logout`)),
    forgetConsent: async (username, clientId) =>
      void (await ask('DELETE', `/users/${await userId(username)}/consents/${clientId}`)),
  };
}
