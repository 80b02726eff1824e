/** `--catalog` and `--schema` of the commands that run a statement. */
export const NAMESPACE_OPTIONS = {
  catalog: { kind: 'text', value: 'NAME', meaning: 'Catalog of names that have none. Default: that of the engine.' },
  schema: {
    kind: 'text',
    value: 'NAME',
    meaning: 'Schema of names that have none. Default: that of the engine in its default catalog.',
  },
} as const;
