import pg from 'pg';

/** Runs a statement as superuser, without row-level security, on a connection of its own. */
export async function runAsSuperuser<R extends object>(
  superuserUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined); // the running statement rejects too
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
}
