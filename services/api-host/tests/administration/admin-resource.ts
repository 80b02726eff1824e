import type { AdminRequest } from '@sluice/testkit/fixtures';

export type Body = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: a parsed JSON body
type Parsed = any;

/** Object that is created, read, changed and removed once. */
interface Life {
  readonly body: Body;
  /** Response to the creation. */
  created(made: Parsed): Body;
  /** Response to a read; default: as created. */
  shown?(made: Parsed): Body;
  readonly change: Body;
  /** Members of the response to the change. */
  readonly changed: Body;
  /** Action, target and metadata of the records of the creation, the read, the change and the removal. */
  records(made: Parsed): readonly (readonly unknown[])[];
  /** Assert what else is true of the object. */
  afterCreation?(made: Parsed): Promise<void>;
  afterRead?(made: Parsed): Promise<void>;
  afterRemoval?(made: Parsed): Promise<void>;
}

interface Invalid {
  /** Bodies of a creation, each with the paths of its violations. */
  readonly creations: readonly (readonly [body: unknown, paths: readonly string[]])[];
  readonly changes: readonly unknown[];
  /** Queries of the list. */
  readonly queries: readonly string[];
}

export interface Listed {
  readonly bodies: readonly Body[];
  /** Keys of the objects of `bodies`, in the order of the list. */
  readonly keys: readonly string[];
  keyOf(row: Parsed): string;
  /** False for a list that has no pages. */
  readonly isPaged: boolean;
}

/** Objects that admins create, read, change and remove. */
export interface AdminResource {
  /** Its name in messages, as in `There is no such user.` */
  readonly what: string;
  /** Path of the list, below that of the fixture. */
  readonly path: string;
  /** True if callers without the permission may read it. */
  readonly isPublic?: boolean;
  /** Returns the body of a creation with a new name, which both tenants may use. */
  newBody(): Body | Promise<Body>;
  /** Returns the bodies of changes that differ from a new object and from each other. */
  changes(): readonly [Body, Body, Body];
  /** Returns the path of a created object. */
  pathOf(made: Parsed): string;
  /** Versions of a new and of a changed object, if they are known. */
  readonly versions?: readonly [string, string];
  /** Returns further requests about an object that require its version. */
  versioned?(path: string): readonly AdminRequest[];
  /** Returns paths of objects that do not exist. */
  missing(path: string): readonly string[];
  life(): Promise<Life> | Life;
  invalid(): Promise<Invalid> | Invalid;
  /** Returns the path of an object with this string in each of its parts; default: one part below the list. */
  pathWith?(text: string): string;
  /** Parameters of the list that take any string. */
  readonly textParameters: readonly string[];
  readonly listed?: Listed;
}
