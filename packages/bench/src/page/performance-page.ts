import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine } from './machine.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);
const PAGE = fileURLToPath(new URL('performance.md', DOCS));

/** Part of the page that a run writes: `<!-- bench NAME -->` to `<!-- /bench NAME -->`. */
type PageSection = 'duckdb' | 'trino';

interface PageRun {
  readonly section: PageSection;
  readonly rounds: number;
  readonly load: number;
  /** Why the figures are not judged; undefined if they are. */
  readonly notJudged: string | undefined;
  /** Tables, each with the sentence before it. */
  readonly parts: readonly string[];
}

/** Replaces a section of docs/performance.md by the figures of this run. */
export function writePageSection({ section, rounds, load, notJudged, parts }: PageRun): void {
  const date = new Date().toISOString().slice(0, 10);
  const facts = [
    `- **Machine**: ${describeMachine()}`,
    `- **Run**: ${date}, load average ${load.toFixed(2)} at the start, medians of the rounds (${rounds})`,
    ...(notJudged === undefined ? [] : [`- **Not judged**: ${notJudged}`]),
  ].join('\n');
  const [start, end] = [`<!-- bench ${section} -->`, `<!-- /bench ${section} -->`];
  const page = readFileSync(PAGE, 'utf8');
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no section ${section}.`);
  const text = [start, facts, ...parts].join('\n\n');
  writeFileSync(PAGE, `${page.slice(0, from)}${text}\n\n${page.slice(to)}`);
}

/** Writes a chart beside the page. */
export function writeChart(name: string, svg: string): void {
  writeFileSync(fileURLToPath(new URL(name, DOCS)), svg);
}
