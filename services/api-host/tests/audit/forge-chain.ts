import { createAuditSigner, type SealedRecord, sealRows } from '@sluice/audit';
import { AUDIT_FIELDS } from '@sluice/contract';
import type { TestHost } from '@sluice/testkit/hosts';

/** Key of the attacker, which the database does not publish. */
const attacker = createAuditSigner(Buffer.alloc(32, 66));

/** One tenant that a superuser attacks. */
export interface Attack {
  readonly test: Pick<TestHost, 'rows'>;
  readonly tenantId: string;
}

interface ForgedEntry {
  readonly sequence: string;
}

const literal = (tenantId: string): string => `'${tenantId}'::uuid`;

/** SQL expression of the position after the end of the chain. */
export const nextOf = (tenantId: string): string =>
  `(select coalesce(max(sequence), 0) + 1 from audit_checkpoints where tenant_id = ${literal(tenantId)})`;

/** SQL that adds a row of the log with an entry of the chain. */
export const rowWithEntry = (tenantId: string, { sequence }: ForgedEntry): string => `
  with added as (
    insert into audit_log (tenant_id, id, occurred, user_name, action, target)
    values (${literal(tenantId)}, gen_random_uuid(), clock_timestamp(), 'eve', 'LOGIN', 'forged') returning tenant_id, occurred, id
  )
  insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
  select tenant_id, ${sequence}, occurred, id, sha256(id::text::bytea), 1 from added`;

/** SQL that adds an entry of the chain without a row of the log. */
export const entryWithoutRow = (tenantId: string, sequence: string): string => `
  insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
  values (${literal(tenantId)}, ${sequence}, clock_timestamp(), gen_random_uuid(), sha256('x'), 1)`;

/** SQL that adds a row of the log. */
export const rowAt = (tenantId: string, occurred: string): string => `
  insert into audit_log (tenant_id, id, occurred, user_name, action, target)
  values (${literal(tenantId)}, gen_random_uuid(), ${occurred}, 'eve', 'LOGIN', 'forged')`;

/** SQL that adds a checkpoint with a payload that is not one. */
export const unreadableCheckpoint = (tenantId: string, number: string): string => `
  insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature)
  select tenant_id, ${number}, sequence, 'x', key_id, signature from audit_checkpoints
  where tenant_id = ${literal(tenantId)} order by number desc limit 1`;

export const lastCheckpoint = (tenantId: string): string =>
  `tenant_id = ${literal(tenantId)} and number = (select max(number) from audit_checkpoints where tenant_id = ${literal(tenantId)})`;

export const lastEntry = (tenantId: string): string =>
  `tenant_id = ${literal(tenantId)} and sequence = (select max(sequence) from audit_chain where tenant_id = ${literal(tenantId)})`;

interface Head {
  readonly number: string;
  readonly sequence: string;
  readonly payload: string;
}

/** Fields that may be null are null, so that a new one changes no test. */
const recordOf = (tenantId: string, id: string, occurredUs: string): SealedRecord => ({
  ...(Object.fromEntries(AUDIT_FIELDS.map(({ property }) => [property, null])) as unknown as SealedRecord),
  tenantId,
  id,
  occurredUs,
  user: 'eve',
  action: 'LOGIN',
  target: 'forged',
  metadata: '{}',
});

/** Adds a row with an entry whose hash is right, and, on request, a checkpoint by the attacker's key. */
export async function continueChain({ test, tenantId }: Attack, withCheckpoint: boolean): Promise<void> {
  const [head] = await test.rows<Head>(`select * from audit_checkpoints where ${lastCheckpoint(tenantId)}`);
  const [row] = await test.rows<{ id: string; us: string }>(
    `${rowAt(tenantId, 'clock_timestamp()')} returning id, replace(extract(epoch from occurred)::text, '.', '') as us`,
  );
  if (head === undefined || row === undefined) throw new Error('nothing is sealed');
  const hash = Buffer.from(JSON.parse(head.payload).hash, 'hex');
  const { links, checkpoint } = sealRows(
    [recordOf(tenantId, row.id, row.us)],
    { ...head, number: Number(head.number), sequence: Number(head.sequence), hash },
    {
      tenantId,
      signer: attacker,
      now: Date.now(),
      pass: {
        sinceMs: Date.now() - 1000,
        untilMs: Date.now(),
        lateIds: new Set(),
        retention: { kept_ms: 34_560_000_000, tenant_ms: null },
      },
    },
  );
  await test.rows(
    `insert into audit_chain (tenant_id, sequence, occurred, record_id, hash, v)
     select tenant_id, $2, occurred, id, $3, 1 from audit_log where id = $1`,
    [row.id, links[0]?.sequence, links[0]?.hash],
  );
  if (!withCheckpoint) return;
  const { number, sequence, payload, keyId, signature } = checkpoint;
  await test.rows(
    `insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature) values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, number, sequence, payload, keyId, signature],
  );
}
