import { readFileSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PeerResult } from '../peers/peer-result.ts';
import { type Finding, report } from '../report.ts';
import { type Bar, drawChart } from './chart.ts';
import { peerPanels, peerTable } from './peer-tables.ts';

/** Describes the machine of a run in one sentence, without its name. */
function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? '';
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const kind = model === '' || model === 'unknown' ? '' : ` (${model})`;
  return `${availableParallelism()} processors${kind}, ${memory} of memory, ${system()}, Node.js ${process.versions.node}`;
}

function system(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
    return `${name} (${arch()})`;
  } catch {
    return `${platform()} (${arch()})`;
  }
}

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
function writePageSection({ section, rounds, load, notJudged, parts }: PageRun): void {
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
function writeChart(name: string, svg: string): void {
  writeFileSync(fileURLToPath(new URL(name, DOCS)), svg);
}

interface BenchRun {
  readonly findings: readonly Finding[];
  readonly peers: readonly PeerResult[];
  readonly rounds: number;
  readonly load: number;
  readonly notJudged: string | undefined;
}

/** Writes the figures on DuckDB to the page, and the chart if peers were measured. */
export function writeDuckDbPage(run: BenchRun): void {
  const parts = [report(run.findings, run.notJudged === undefined)];
  if (run.peers.length > 0) {
    parts.push(
      'The same million rows of 16 columns through Sluice, its engine and other products, in the same session:',
    );
    parts.push(peerTable(run.peers));
    const description = 'Speed of whole results through Sluice, DuckDB and other products';
    writeChart('performance.svg', drawChart(description, peerPanels(run.peers)));
  }
  writePageSection({ section: 'duckdb', ...run, parts });
}

/** Writes the figures on Trino to the page, and their chart. */
export function writeTrinoPage(run: BenchRun & { readonly bars: readonly Bar[] }): void {
  const description = 'Speed of a million rows of 16 columns from Trino';
  writeChart(
    'performance-trino.svg',
    drawChart(description, [{ title: `${description}, thousand rows/s`, bars: run.bars }]),
  );
  writePageSection({ section: 'trino', ...run, parts: [report(run.findings, run.notJudged === undefined)] });
}
