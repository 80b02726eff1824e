import type { z } from 'zod';
import type { Permission } from '../identity/permission.ts';
import type { ProblemCode } from '../problems/problem.ts';
import type { Subject } from './subject.ts';

/** `basic` and `bearer` are sent in Authorization, `idtoken` in the header of that name. */
export type CredentialKind = 'basic' | 'idtoken' | 'bearer';

/** Credentials of the API host. A Bearer token needs the audience of that host. */
export const API_CREDENTIALS: readonly CredentialKind[] = ['idtoken', 'bearer'];
/** Credentials of the stream host. */
export const ANY_CREDENTIAL: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];

/** YAML is `application/yaml` (RFC 9512). */
export type MediaType = 'application/json' | 'application/yaml' | 'application/x-www-form-urlencoded' | 'text/plain';

export interface OperationBody {
  readonly schema: z.ZodType;
  /** Accepted values of Content-Type. Any other returns 415. */
  readonly mediaTypes: readonly MediaType[];
  readonly bytesMax: number;
  /** The body is one text in UTF-8, whatever its Content-Type. */
  readonly isText?: boolean;
  /**
   * Makes a JSON body optional, for an operation that had none: a body that is absent, of another media type, or without this member
   * counts as `{}`.
   */
  readonly optionalMember?: string;
  /** Makes the body optional: a request without one counts as `{}`. Any other body must be valid. */
  readonly isOptional?: boolean;
  /** Member of a JSON body, at any depth, in which the schema receives numbers with all their digits, as `ExactNumber`. */
  readonly exactNumbersIn?: string;
  /** Begins the names of fields of a form that may be repeated. Default: none may. */
  readonly repeatable?: string;
  /** The body is a file that a person writes: an error response has the line of each violation. */
  readonly reportsLines?: boolean;
  /** Maximum number of violations that an error response lists. Default: 100. */
  readonly detailsMax?: number;
  /**
   * Maximum number of members of objects and elements of arrays, at any depth, or of fields of a form. JSON and forms are counted before
   * they are parsed: each value could be a violation.
   */
  readonly valuesMax: number;
  /** Maximum number of members of objects among them, each of which may be unknown. Default: `valuesMax`. */
  readonly membersMax?: number;
}

/** Media type of a body that the handler reads as a stream. */
export type UploadMediaType = 'text/csv' | 'application/x-ndjson' | 'application/json' | 'application/yaml';

/** Body that the handler reads as a stream of bytes, because it may be too large for memory. */
export interface OperationUpload {
  /** Accepted values of Content-Type, with the schema of a JSON body for OpenAPI. Any other returns 415. */
  readonly contents: Readonly<Partial<Record<UploadMediaType, z.ZodType | undefined>>>;
  readonly bytesMax: number;
}

export interface OperationContent {
  readonly mediaType?: string;
  /** Schema of a JSON body, or of one event of an event stream. Absent for other bodies. */
  readonly schema?: z.ZodType;
}

export interface OperationResponse extends OperationContent {
  readonly description: string;
  /** Other media types of the same body. */
  readonly alternatives?: readonly OperationContent[];
}

/** Contract of one method on one path. Routes attach a handler to it and OpenAPI is generated from it, so the two agree. */
export interface Operation {
  /** OpenAPI operationId: camelCase, unique on its host. */
  readonly id: string;
  /** OpenAPI tag, which groups the operations at `/docs`. */
  readonly subject: Subject;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path template with `{name}` for parameters. */
  readonly path: string;
  /** The last parameter also takes the rest of a path with more segments. Other operations come first. */
  readonly matchesLongerPaths?: boolean;
  readonly summary: string;
  /** Accepted credentials; the caller sends one of them. Empty: the operation is open to anonymous callers. */
  readonly credentials: readonly CredentialKind[];
  readonly permission?: Permission;
  /** Another permission, which is enough for a part of what the operation does. The handler rejects the rest with `access_denied`. */
  readonly orPermission?: { readonly permission: Permission; readonly covers: string };
  /**
   * Permissions of which a session with a scope needs one for an operation without `permission`, which a scope could not name. `account`: no
   * scope is enough, because the operation is about the account itself. Default: any session may use it.
   */
  readonly scopeNeeds?: readonly Permission[] | 'account';
  /** Only for the operator of the deployment, with `Authorization: Bearer <OPERATOR_TOKEN>`. No tenant user has access. */
  readonly operatorOnly?: boolean;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: OperationBody;
  /** Instead of `body`. */
  readonly upload?: OperationUpload;
  /** Successful responses by status. */
  readonly responses: Readonly<Record<number, OperationResponse>>;
  /** Body for a statement that fails before the first byte, if it differs from the error JSON. A rejected request gets the error JSON. */
  readonly failedStatement?: z.ZodType;
  /** Codes that are sent to a browser as a page (`text/html`) instead of the error JSON. */
  readonly pages?: readonly ProblemCode[] | 'any';
  /** Codes specific to this operation, in addition to those of every operation of its kind. */
  readonly problems: readonly ProblemCode[];
  /** A GET with a side effect: HEAD returns 405, unless the operation `answersHead`. */
  readonly hasEffect?: boolean;
  /** HEAD of a GET with a side effect has no side effect, but the response of its GET without the body. */
  readonly answersHead?: boolean;
  /** A download that people open in other programs. Its query string has parameters of the SQL, and repeats that of a list. */
  readonly isLink?: boolean;
  /** Begins the names of parameters of the query string that may be repeated. Default: none may. */
  readonly repeatable?: string;
  /** The response is a file or stream. Only HTTP/1.1 can signal a truncated one, so HTTP/1.0 returns 505. */
  readonly streams?: boolean;
  /** Maximum of the request line and headers in bytes. Default: 16 KiB. */
  readonly headerBytesMax?: number;
  /** A password is accepted over TLS or from this computer only. Default: TLS is left to the deployment. */
  readonly basicNeedsTls?: boolean;
  /** A 401 names a login in a browser, as drivers of Trino read it (`x_redirect_server` and `x_token_server`). */
  readonly externalLogin?: boolean;
  /** Errors follow RFC 6749 section 5.2 instead of the error JSON. */
  readonly oauthErrors?: boolean;
}

export const BODY_BYTES_MAX = 1024 * 1024;

/** Limits of a body whose sender is not authenticated yet. */
export const LOGIN_BODY_LIMITS = { bytesMax: 16 * 1024, valuesMax: 32 } as const;

/** Default limit of values: 1,000 parameters with their types, or 100 queries with their names and 1,000 tags. */
const BODY_VALUES_MAX = 5_000;

/**
 * Maximum of values of a body with the parameters of a statement: 1,000 with their types, the items of three of the longest lists, and
 * the members beside them.
 */
export const PARAMETER_VALUES_MAX = 33_100;
/** Members of objects among them: the parameters with their types, and the members beside them. */
export const PARAMETER_MEMBERS_MAX = 3_100;
/** Limits of a body with a statement. */
export const STATEMENT_BODY_LIMITS = {
  bytesMax: 2 * 1024 * 1024,
  valuesMax: PARAMETER_VALUES_MAX,
  membersMax: PARAMETER_MEMBERS_MAX,
} as const;

/** Budget for the bodies of one account that a host refuses within a window. */
export const REFUSED_BODY_BYTES_MAX = 32 * 1024 * 1024;
export const REFUSED_BODY_WINDOW_MS = 60_000;

/** Maximum of the bytes that one account has not read of responses of one host, other than results. */
export const UNREAD_BYTES_MAX = 32 * 1024 * 1024;

/** Maximum of the requests of one account that wait on one host until fewer of its requests run than its share. */
export const ACCOUNT_REQUESTS_WAITING_MAX = 500;

/** Budget for the statements of one account on one host that are refused, or longer than 16 KiB. */
export const STATEMENT_BYTES_MAX = 32 * 1024 * 1024;
export const STATEMENT_WINDOW_MS = 3_600_000;

/** Describes a JSON body. Keeps the type of the schema, so that the handler of a route receives the declared type. */
export const jsonBody = <S extends z.ZodType>(
  schema: S,
  {
    bytesMax = BODY_BYTES_MAX,
    valuesMax = BODY_VALUES_MAX,
    membersMax = valuesMax,
  }: { readonly bytesMax?: number; readonly valuesMax?: number; readonly membersMax?: number } = {},
) => ({ schema, mediaTypes: ['application/json'], bytesMax, valuesMax, membersMax }) as const satisfies OperationBody;
