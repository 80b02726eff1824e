import type { SluiceProcess } from '../sluice-process.ts';

const ADMIN = { email: 'admin@acme.example', password: 'sluice-demo' };
const ROLE = 'analyst';

/** Creates an item of these statements as an admin, grants it to the analysts, and returns its id. */
export async function makeBenchItem(
  { apiUrl, streamUrl }: SluiceProcess,
  queries: Readonly<Record<string, string>>,
): Promise<string> {
  const { id_token } = await send<{ id_token: string }>(`${apiUrl}/auth/login/acme`, { body: ADMIN });
  const headers = { idtoken: id_token };
  const maps = [];
  for (const [name, sql] of Object.entries(queries)) {
    const { id } = await send<{ id: string }>(`${apiUrl}/datamap`, { headers, body: { name: `bench ${name}`, sql } });
    await send(`${apiUrl}/datamap/${id}/publish`, { headers });
    maps.push({ name, datamap_id: id });
  }
  const id = `bench-${Date.now()}`;
  await send(`${streamUrl}/marketplace`, { headers, body: { id, title: 'Bench item', queries: maps } });
  const grants = { grants: [{ kind: 'role', name: ROLE }] };
  await send(`${streamUrl}/marketplace/${id}/grants`, { headers, body: grants, method: 'PUT' });
  return id;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly method?: 'POST' | 'PUT';
}

async function send<T>(url: string, { headers = {}, body, method = 'POST' }: RequestOptions): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
