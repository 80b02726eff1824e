import type { z } from 'zod';
import { ANY_CREDENTIAL, API_CREDENTIALS, type Operation, type OperationContent } from './operation.ts';
import type { Subject } from './subject.ts';

type Method = Operation['method'];

/** An operation without what `defineOperations` adds. */
type Declaration = Partial<Omit<Operation, 'id' | 'subject' | 'method' | 'path'>> &
  Pick<Operation, 'summary' | 'responses'> & {
    /** Method and path template, such as `GET /domains/{id}`. */
    readonly endpoint: `${Method} /${string}`;
  };

/** Common members of the operations of a file; each may declare its own instead. */
type Defaults = Partial<Omit<Declaration, 'endpoint'>> & Pick<Operation, 'credentials'>;

/** The complete operation of a declaration. Literal types stay: a handler gets the types of its path, credentials and schemas. */
type Defined<Id, S extends Subject, F, D> = Omit<{ readonly problems: readonly [] }, keyof F | keyof D> &
  Omit<F, keyof D> &
  Omit<D, 'endpoint'> & { readonly id: Id; readonly subject: S } & EndpointParts<D>;

type EndpointParts<D> = D extends { readonly endpoint: `${infer M extends Method} ${infer P}` }
  ? { readonly method: M; readonly path: P }
  : never;

/** Rejects members that no operation has, which a type parameter alone would accept. */
type OnlyKnown<D> = { readonly [K in keyof D]: { readonly [M in Exclude<keyof D[K], keyof Declaration>]: never } };

/** Defaults of operations by the credentials that they accept. */
export const FOR_API = { credentials: API_CREDENTIALS } as const;
export const FOR_ALL = { credentials: ANY_CREDENTIAL } as const;
export const FOR_ADMINS = { credentials: API_CREDENTIALS, permission: 'admin' } as const;
/** Operations on the account of the caller, which no program that a user limited to some permissions may use. */
export const FOR_OWN_ACCOUNT = { credentials: API_CREDENTIALS, scopeNeeds: 'account' } as const;
export const ANONYMOUS = { credentials: [] } as const;

/** Defines operations of one subject: the id is the key, `problems` is empty by default, and `defaults` apply to each. */
export const defineOperations = <
  S extends Subject,
  const F extends Defaults,
  const D extends Readonly<Record<string, Declaration>>,
>(
  subject: S,
  defaults: F,
  declared: D & OnlyKnown<D>,
): { readonly [Id in keyof D]: Defined<Id, S, F, D[Id]> } =>
  Object.fromEntries(
    Object.entries<Declaration>(declared).map(([id, { endpoint, ...declaration }]) => {
      const [method, path] = endpoint.split(' ');
      return [id, { problems: [], ...defaults, id, subject, method, path, ...declaration }];
    }),
  ) as unknown as { readonly [Id in keyof D]: Defined<Id, S, F, D[Id]> };

/** A response whose body is JSON. */
export const jsonResponse = <S extends z.ZodType>(description: string, schema: S) =>
  ({ description, mediaType: 'application/json', schema }) as const satisfies OperationContent & {
    readonly description: string;
  };
