import type { Client } from '@sluice/client';
import { violationsIn } from '../../api/describe-error.ts';
import type { InviteLine, LineFault } from './invite-lines.ts';

type ReadClient = Pick<Client, 'api'>;

const withFaults = (lines: readonly InviteLine[], faults: ReadonlyMap<string, LineFault>): readonly InviteLine[] =>
  lines.map((each) => (each.fault === undefined ? { ...each, fault: faults.get(each.email) } : each));

/** Returns what a configuration file with these users would change, without changing it. */
async function plan({ api }: ReadClient, sent: readonly InviteLine[]) {
  const users = sent.map(({ email, roles }) => ({ email, roles: [...roles] }));
  return await api.applyConfiguration({
    query: { dry_run: true },
    body: { users },
  });
}

/** Returns the faults that the host names by the position of a user, such as `users[3].email`. */
function faultsIn(error: unknown, sent: readonly InviteLine[]): ReadonlyMap<string, LineFault> {
  const faults = new Map<string, LineFault>();
  for (const { path, message } of violationsIn(error)) {
    const email = sent[Number(/^users\[(\d+)\]/.exec(path)?.[1] ?? -1)]?.email;
    if (email !== undefined && !faults.has(email)) faults.set(email, { kind: 'rejected', message });
  }
  return faults;
}

/**
 * Returns the lines with the faults that only the host can find: users that exist, and addresses and roles that it does not accept. Nothing
 * is changed. Throws what the client throws, if the host cannot tell.
 */
export async function checkLines(client: ReadClient, lines: readonly InviteLine[]): Promise<readonly InviteLine[]> {
  const sent = lines.filter(({ fault }) => fault === undefined);
  if (sent.length === 0) return lines;
  try {
    const { changes } = await plan(client, sent);
    const existing = changes.flatMap(({ kind, name, action }) =>
      kind === 'user' && action !== 'create' ? [[name, { kind: 'exists' }] as const] : [],
    );
    return withFaults(lines, new Map(existing));
  } catch (error) {
    const faults = faultsIn(error, sent);
    if (faults.size === 0) throw error;
    // The host lists every violation before it says which users exist, so the others are asked for once more.
    return await checkLines(client, withFaults(lines, faults));
  }
}
