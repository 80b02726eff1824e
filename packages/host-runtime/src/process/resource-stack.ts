/** Resources that are disposed of in reverse order: a later one may use an earlier one. */
export interface ResourceStack extends AsyncDisposable {
  add<T extends AsyncDisposable>(resource: T): T;
}

// Node 20 has no AsyncDisposableStack.
export function createResourceStack(): ResourceStack {
  const opened: AsyncDisposable[] = [];
  return {
    add(resource) {
      opened.push(resource);
      return resource;
    },
    async [Symbol.asyncDispose]() {
      const problems: unknown[] = [];
      for (let resource = opened.pop(); resource !== undefined; resource = opened.pop()) {
        try {
          await resource[Symbol.asyncDispose]();
        } catch (thrown) {
          problems.push(thrown);
        }
      }
      if (problems.length > 0) throw new AggregateError(problems, 'Not everything could be closed.');
    },
  };
}
