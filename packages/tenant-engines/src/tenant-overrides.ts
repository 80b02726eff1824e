import { z } from 'zod';

const PemOrText = z.string().min(1);

/** What `ENGINE_TENANTS` says of one tenant. */
const TenantOverride = z.strictObject({
  catalogs: z.array(z.string().regex(/^[A-Za-z_][\w-]*$/)).optional(),
  schema: z.string().min(1).optional(),
  user_template: z.string().min(1).optional(),
  url: z.string().min(1).optional(),
  user: z.string().min(1).optional(),
  password: PemOrText.optional(),
  token: PemOrText.optional(),
  certificate: PemOrText.optional(),
  key: PemOrText.optional(),
  passphrase: PemOrText.optional(),
  ca: PemOrText.optional(),
});

export type TenantOverride = z.infer<typeof TenantOverride>;

const TenantOverrides = z.record(z.string().min(1), TenantOverride);

/** Throws an Error whose message completes a sentence that begins with the setting's name, and repeats nothing of its value. */
export function parseTenantOverrides(text: string): ReadonlyMap<string, TenantOverride> {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON object of tenants');
  }
  const read = TenantOverrides.safeParse(told);
  if (read.success) return new Map(Object.entries(read.data));
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') ?? '';
  const unknown = issue?.code === 'unrecognized_keys' ? ` has the unknown key ${issue.keys.join(', ')}` : ' is wrong';
  throw new Error(`must be a JSON object of tenants: ${place === '' ? 'it' : place}${unknown}`);
}
