import type { FoundDatamap } from '@sluice/client';
import { linesOf, listItemType } from '../../parameters/list-values.ts';

export type DeclaredParameter = FoundDatamap['datamap']['parameters'][number];

/** Treatment of a request without a value. `default`: the value is `preset`. */
export type MissingValue = 'rejected' | 'null' | 'default';
export const MISSING_VALUES = ['rejected', 'null', 'default'] as const satisfies readonly MissingValue[];

/** The declaration of a parameter as the form has it: all values are strings. */
export interface ParameterDraft {
  /** Name of the type, such as `decimal(10,2)`. */
  readonly type: string;
  readonly description: string;
  readonly missing: MissingValue;
  /** Used with `missing: 'default'` only. For a list, one item in each line. */
  readonly preset: string;
  /** One value in each line. Empty: any value of the type. */
  readonly allowed: string;
}

export const NEW_PARAMETER: ParameterDraft = {
  type: 'varchar',
  description: '',
  missing: 'rejected',
  preset: '',
  allowed: '',
};

/** Types that a form offers. Any other that the host knows can be typed. */
export const TYPE_SUGGESTIONS = [
  ...['varchar', 'bigint', 'integer', 'double', 'decimal(18,2)', 'boolean'],
  ...['date', 'time', 'timestamp', 'timestamp with time zone', 'uuid', 'array(varchar)', 'array(bigint)'],
] as const;

/** The host sends a number only where it has all digits, and a string otherwise, so a string loses nothing. */
const allowedTexts = ({ allowed_values: allowed }: DeclaredParameter): readonly string[] =>
  (allowed ?? []).filter((value) => value !== null).map(String);

function presetText({ default: preset }: DeclaredParameter): string {
  if (preset === null || preset === undefined) return '';
  return Array.isArray(preset) ? preset.filter((item) => item !== null).join('\n') : String(preset);
}

/** Returns the form of a declaration. */
export const draftOfParameter = (declared: DeclaredParameter): ParameterDraft => ({
  type: declared.type,
  description: declared.description ?? '',
  missing: declared.required ? 'rejected' : declared.default == null ? 'null' : 'default',
  preset: presetText(declared),
  allowed: allowedTexts(declared).join('\n'),
});

/** Returns whether two declarations are the same. */
export const isSameParameter = (one: ParameterDraft, other: ParameterDraft): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns the declaration that a request sends. One that was not changed is sent as the host has it. */
export function declarationOf(name: string, draft: ParameterDraft, declared: DeclaredParameter | undefined) {
  if (declared !== undefined && isSameParameter(draft, draftOfParameter(declared))) {
    // A required parameter has no default: the host says null for it, and takes none.
    const { default: preset, ...rest } = declared;
    return { ...rest, ...(declared.required ? {} : { default: preset }) };
  }
  const { type, description, missing, allowed } = draft;
  const lines = linesOf(allowed);
  return {
    ...{ name, type: type.trim(), description: description === '' ? null : description },
    required: missing === 'rejected',
    ...(missing === 'rejected' ? {} : { default: missing === 'null' ? null : presetOf(draft, declared) }),
    allowed_values: lines.length === 0 ? null : [...lines],
  };
}

/** Returns the default that a request sends: as the host has it if it was not changed, with items that are NULL. */
function presetOf({ type, preset }: ParameterDraft, declared: DeclaredParameter | undefined): unknown {
  if (listItemType(type.trim()) === undefined) return preset;
  const isSame = declared !== undefined && declared.type === type.trim() && presetText(declared) === preset;
  return isSame ? declared.default : [...linesOf(preset)];
}

/** Names of the parameters whose change makes the host reject requests that it accepted before, by reason. */
export interface ParameterLosses {
  /** A request with a value is rejected. */
  readonly gone: readonly string[];
  /** A request without a value is rejected. */
  readonly required: readonly string[];
  /** Values that were accepted may be rejected. */
  readonly narrowed: readonly string[];
}

/** Returns what a change of the parameters takes away. */
export function lossesOfParameters(
  declared: readonly DeclaredParameter[],
  after: ReadonlyMap<string, ParameterDraft>,
): ParameterLosses {
  const before = new Map(declared.map((each) => [each.name, draftOfParameter(each)]));
  const isNarrowed = (was: ParameterDraft, is: ParameterDraft): boolean => {
    const values = linesOf(is.allowed);
    const isList =
      values.length > 0 && (was.allowed === '' || linesOf(was.allowed).some((each) => !values.includes(each)));
    return was.type !== is.type.trim() || isList;
  };
  return {
    gone: [...before.keys()].filter((name) => !after.has(name)),
    required: [...after].flatMap(([name, { missing }]) => {
      const was = before.get(name)?.missing;
      return missing === 'rejected' && was !== 'rejected' ? [name] : [];
    }),
    narrowed: [...after].flatMap(([name, is]) => {
      const was = before.get(name);
      return was !== undefined && isNarrowed(was, is) ? [name] : [];
    }),
  };
}
