import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.mjs';

const GLOBALS = new URL('./globals.mjs', import.meta.url).href;

/**
 * Resolves the packages of this repository to their sources (the export condition "source"). The modules of a project with a graph
 * of its own (`testEnvironmentOptions.moduleGraph`) import those of the same graph.
 */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url: GLOBALS, format: 'module', shortCircuit: true };
  const conditions = specifier.startsWith('@sluice/') ? ['source', ...context.conditions] : context.conditions;
  const resolved = await nextResolve(specifier, { ...context, conditions });
  const graph = graphOf(context.parentURL);
  return graph === null || !isTypeScript(resolved.url)
    ? resolved
    : { ...resolved, url: `${resolved.url}?graph=${graph}` };
}

export function load(url, context, nextLoad) {
  if (!isTypeScript(url)) return nextLoad(url, context);
  return { format: 'module', source: readFileSync(compile(fileURLToPath(url)), 'utf8'), shortCircuit: true };
}

const isTypeScript = (url) => /^file:[^?]*\.ts(?:\?|$)/.test(url);

const graphOf = (url) => (url?.startsWith('file:') === true ? new URL(url).searchParams.get('graph') : null);
