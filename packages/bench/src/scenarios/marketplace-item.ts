import type { SluiceProcess } from '../sluice-process.ts';

const ADMIN = { email: 'admin@acme.example', password: 'sluice-demo' };
const ROLE = 'analyst';

/** Makes an item of these statements as an admin does, granted to the analysts; answers its id. */
export async function makeBenchItem(
  { apiUrl, streamUrl }: SluiceProcess,
  queries: Readonly<Record<string, string>>,
): Promise<string> {
  const { id_token } = await ask<{ id_token: string }>(`${apiUrl}/auth/login/acme`, { body: ADMIN });
  const headers = { idtoken: id_token };
  const maps = [];
  for (const [name, sql] of Object.entries(queries)) {
    const { id } = await ask<{ id: string }>(`${apiUrl}/datamap`, { headers, body: { name: `bench ${name}`, sql } });
    await ask(`${apiUrl}/datamap/${id}/publish`, { headers });
    maps.push({ name, datamap_id: id });
  }
  const id = `bench-${Date.now()}`;
  await ask(`${streamUrl}/marketplace`, { headers, body: { id, title: 'Of the bench', queries: maps } });
  const grants = { grants: [{ kind: 'role', name: ROLE }] };
  await ask(`${streamUrl}/marketplace/${id}/grants`, { headers, body: grants, method: 'PUT' });
  return id;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly method?: 'POST' | 'PUT';
}

async function ask<T>(url: string, { headers = {}, body, method = 'POST' }: Asked): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
