/** Additional pattern of every path parameter: the kernel rejects control characters (`readParams`). */
const WITHOUT_CONTROL_CHARACTERS = '^[^\\u0000-\\u001f\\u007f]+$';

interface Parameter {
  readonly in: string;
  readonly schema?: Readonly<Record<string, unknown>>;
}

const isPathText = ({ in: place, schema }: Parameter): boolean =>
  place === 'path' && schema?.['type'] === 'string' && schema['enum'] === undefined && schema['pattern'] === undefined;

const withRule = (parameter: Parameter): Parameter =>
  isPathText(parameter)
    ? { ...parameter, schema: { ...parameter.schema, minLength: 1, pattern: WITHOUT_CONTROL_CHARACTERS } }
    : parameter;

interface Paths {
  readonly paths?: Readonly<Record<string, object>> | undefined;
}

/** Adds the rule that the kernel enforces to each path parameter. */
export function withPathRules<D extends Paths>(document: D): D {
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods) as { parameters?: Parameter[] }[]) {
      if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(withRule);
    }
  }
  return document;
}
