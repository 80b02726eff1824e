import type { z } from 'zod';
import type { Permission } from '../identity/permission.ts';
import type { ProblemCode } from '../problems/problem.ts';

/** `basic` and `bearer` travel in Authorization, `idtoken` in the header of that name. */
export type CredentialKind = 'basic' | 'idtoken' | 'bearer';

/** YAML is `application/yaml` (RFC 9512). */
export type MediaType = 'application/json' | 'application/yaml' | 'application/x-www-form-urlencoded';

export interface OperationBody {
  readonly schema: z.ZodType;
  /** What Content-Type may be; anything else is 415. */
  readonly mediaTypes: readonly MediaType[];
  readonly bytesMax: number;
  /** How many breaches a refusal lists; default 100. */
  readonly detailsMax?: number;
  /** A body of more fields (of a form; members and elements of JSON) is refused before they are looked at. */
  readonly fieldsMax?: number;
  /** A JSON or YAML body of more members and elements is refused before they are looked at; for bodies so large that all of them could be wrong. */
  readonly valuesMax?: number;
}

export interface OperationContent {
  readonly mediaType?: string;
  /** Absent for bodies that are no JSON. Of an event stream: one event. */
  readonly schema?: z.ZodType;
}

export interface OperationAnswer extends OperationContent {
  readonly description: string;
  /** Other media types that the body may have. */
  readonly alternatives?: readonly OperationContent[];
}

/**
 * What the wire promises of one method on one path. Routes attach a handler to it, and OpenAPI is made from it, so neither
 * can say what the other does not.
 */
export interface Operation {
  /** camelCase, unique on its host. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly summary: string;
  /** Any one of these; none: open without a credential. */
  readonly credentials: readonly CredentialKind[];
  readonly permission?: Permission;
  /** Open to no caller of a tenant: whoever operates the deployment shows a token of its own, `Authorization: Bearer`. */
  readonly isOperators?: boolean;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: OperationBody;
  /** By status. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Body of a statement that fails before its first byte, where it is not the error JSON; a request that is rejected gets that. */
  readonly failedStatement?: z.ZodType;
  /** Codes that a browser gets as a page (`text/html`) instead of the error JSON; `any` of them. */
  readonly pages?: readonly ProblemCode[] | 'any';
  /** Codes of its own, besides those that every operation of its kind has. */
  readonly problems: readonly ProblemCode[];
  /** A GET that changes something: HEAD must not run it (405). */
  readonly hasEffect?: boolean;
  /** The answer is a file or stream whose cut only HTTP/1.1 can show; HTTP/1.0 is refused (505). */
  readonly streams?: boolean;
  /** Errors follow RFC 6749 section 5.2 instead of our own JSON. */
  readonly oauthErrors?: boolean;
}

export const STREAM_BODY_BYTES_MAX = 2 * 1024 * 1024;
export const BODY_BYTES_MAX = 1024 * 1024;

/** Limits of a body whose sender is not known yet. */
export const LOGIN_BODY_LIMITS = { bytesMax: 16 * 1024, fieldsMax: 32 } as const;

/** Keeps the schema's own type, so that a route's handler sees the body it declares. */
export const jsonBody = <S extends z.ZodType>(schema: S, bytesMax: number = BODY_BYTES_MAX) =>
  ({ schema, mediaTypes: ['application/json'], bytesMax }) as const satisfies OperationBody;
