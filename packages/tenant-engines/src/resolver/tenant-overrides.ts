import { z } from 'zod';

const PemOrText = z.string().min(1);

/** Settings of one tenant in `ENGINE_TENANTS`, which override the common ones. */
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

/** Parses `ENGINE_TENANTS`. The message of an Error completes a sentence that starts with the setting's name, and never shows values. */
export function parseTenantOverrides(text: string): ReadonlyMap<string, TenantOverride> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON object of tenants');
  }
  const parsed = TenantOverrides.safeParse(value);
  if (parsed.success) return new Map(Object.entries(parsed.data));
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const reason = issue?.code === 'unrecognized_keys' ? ` has the unknown key ${issue.keys.join(', ')}` : ' is invalid';
  throw new Error(`must be a JSON object of tenants: ${path === '' ? 'it' : path}${reason}`);
}
