// Draws architecture.svg from architecture.dot: `npm run docs:generate`.
import { readFile, writeFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

/** Colours for both themes of the reader. The picture itself has none. */
const STYLE = `<style>
  .graph > polygon { fill: none }
  .cluster > polygon { fill: #eef4ff; stroke: #7a9bd1 }
  .node path, .node polygon { fill: #ffffff; stroke: #4a6a9b }
  .client path { fill: #fff6e5; stroke: #b07d2b }
  .store path { fill: #eafaf0; stroke: #3f8f5f }
  .edge path { stroke: #57606a } .edge polygon { fill: #57606a; stroke: #57606a }
  text { fill: #1f2328 } .edge text { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    .cluster > polygon { fill: #14213a; stroke: #4a6a9b }
    .node path, .node polygon { fill: #0d1117; stroke: #7a9bd1 }
    .client path { fill: #2b2212; stroke: #c99a4b }
    .store path { fill: #11281b; stroke: #5fb080 }
    .edge path { stroke: #9aa4af } .edge polygon { fill: #9aa4af; stroke: #9aa4af }
    text { fill: #e6edf3 } .edge text { fill: #9aa4af }
  }
</style>`;

/** Returns the picture of a graph in DOT, without colours of its own. */
export async function drawArchitecture(dot) {
  const viz = await instance();
  return viz
    .renderString(dot, { format: 'svg' })
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .replace(/ (?:fill|stroke)="(?:none|black|white|transparent)"/g, '')
    .replaceAll('<path ', '<path fill="none" ')
    .replace(/<!--[\s\S]*?-->\n/g, '')
    .replace(/(<svg[^>]*>)/, `$1\n<title>Architecture of Sluice</title>\n${STYLE}`);
}

const dot = await readFile(new URL('architecture.dot', import.meta.url), 'utf8');
await writeFile(new URL('architecture.svg', import.meta.url), await drawArchitecture(dot));
