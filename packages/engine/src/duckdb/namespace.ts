/** A schema, as the engine spells it. */
export interface Namespace {
  readonly catalog: string;
  readonly schema: string;
}
