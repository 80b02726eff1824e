import { readFile } from 'node:fs/promises';
import { type Environment, SettingsError } from '@sluice/config';
import { emailDomains, emailText, identityProviderBody, ProblemError } from '@sluice/contract';
import { parseYaml } from '@sluice/http';
import { z } from 'zod';

/** Variable of the environment or file that holds a secret. A secret in the tenant's file is rejected. */
const secretReference = z.union(
  [z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })],
  {
    error: 'must be { env: NAME } or { file: PATH }: a secret is not in this file',
  },
);

const engine = z.strictObject({
  catalogs: z.array(z.string()).min(1),
  schema: z.string().optional(),
  user_template: z.string().optional(),
  url: z.string().optional(),
  user: z.string().optional(),
  password: secretReference.optional(),
});

const tenantFile = z.strictObject({
  tenant: z.string({ error: 'must be the name of the tenant' }),
  admin: emailText('admin'),
  url: z.string().optional(),
  email_domains: emailDomains.optional(),
  engine: engine.optional(),
  identity_provider: z.looseObject({ client_secret: secretReference.nullable().optional() }).optional(),
});

type SecretReference = z.infer<typeof secretReference>;

/** Content of a tenant's file, with secrets in place of their references. */
export interface TenantFile {
  readonly tenant: string;
  readonly admin: string;
  readonly url: string | undefined;
  readonly emailDomains: readonly string[] | null | undefined;
  readonly engine: Readonly<Record<string, unknown>> | undefined;
  readonly identityProvider: z.infer<typeof identityProviderBody> | undefined;
}

interface FileIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly keys?: readonly string[];
}

/** Returns one sentence with the place. Some messages begin with the name of the key already. */
function reject(file: string, { path, message, code, keys }: FileIssue): SettingsError {
  const said = code === 'unrecognized_keys' ? `has the unknown key ${keys?.join(', ')}` : message;
  const last = String(path.at(-1));
  const isNamed = path.length > 0 && said.startsWith(`${last} `);
  const place = (isNamed ? path.slice(0, -1) : path).join('.');
  const subject = place === '' ? 'the file ' : `${place} `;
  return new SettingsError([`${file}: ${isNamed ? `${place === '' ? '' : `${place}.`}${said}` : `${subject}${said}`}`]);
}

async function readTenantDocument(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new SettingsError([`${path} cannot be read (${cause.code})`]);
  });
  try {
    return parseYaml(bytes);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const [, reason = thrown.message] = /body: (.*)$/.exec(thrown.message) ?? [];
    throw new SettingsError([`${path} ${reason}`]);
  }
}

async function reveal(
  path: string,
  key: string,
  reference: SecretReference,
  environment: Environment,
): Promise<string> {
  const place = 'env' in reference ? reference.env : reference.file;
  const value = 'env' in reference ? environment[place] : await readFile(place, 'utf8').catch(() => undefined);
  const secret = value?.replace(/\r?\n$/, '');
  if (secret === undefined || secret === '')
    throw reject(path, { path: [key], message: `names ${place}, which is not set or cannot be read` });
  return secret;
}

/** Reads a file of a tenant, YAML or JSON. Throws SettingsError with one sentence that names the place, and never a secret. */
export async function readTenantFile(path: string, environment: Environment): Promise<TenantFile> {
  const parsed = tenantFile.safeParse(await readTenantDocument(path));
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) throw reject(path, issue ?? { path: [], message: 'is not valid' });
  const { engine: own, identity_provider: provider, email_domains: domains, ...rest } = parsed.data;
  const { password, ...access } = own ?? { password: undefined };
  const engineSecret =
    password === undefined ? {} : { password: await reveal(path, 'engine.password', password, environment) };
  return {
    ...rest,
    url: rest.url,
    emailDomains: domains,
    engine: own === undefined ? undefined : { ...access, ...engineSecret },
    identityProvider: provider === undefined ? undefined : await providerOf(path, provider, environment),
  };
}

async function providerOf(
  path: string,
  { client_secret: reference, ...provider }: NonNullable<z.infer<typeof tenantFile>['identity_provider']>,
  environment: Environment,
): Promise<z.infer<typeof identityProviderBody>> {
  const secret = reference ? await reveal(path, 'identity_provider.client_secret', reference, environment) : reference;
  const parsed = identityProviderBody.safeParse({
    ...provider,
    ...(secret === undefined ? {} : { client_secret: secret }),
  });
  const [issue] = parsed.error?.issues ?? [];
  if (parsed.success) return parsed.data;
  throw reject(path, {
    path: ['identity_provider', ...(issue?.path ?? [])],
    message: issue?.message ?? 'is not valid',
  });
}
