import type { PeerResult } from '../peers/peer-result.ts';
import { type Finding, report } from '../report.ts';
import { type Bar, drawChart } from './chart.ts';
import { peerPanels, peerTable } from './peer-tables.ts';
import { writeChart, writePageSection } from './performance-page.ts';

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
