import { markdownTable } from '../markdown-table.ts';
import type { PeerFormat, PeerResult } from '../peers/peer-result.ts';
import type { Bar, Panel } from './chart.ts';

const HEADER = ['', 'through', 'CSV, rows/s', 'CSV, CPU s', 'JSON, rows/s', 'JSON, CPU s', 'what to know'];
const FORMAT_TITLES: Readonly<Record<PeerFormat, string>> = {
  csv: 'CSV, 16 columns, thousand rows/s',
  json: 'JSON rows, 16 columns, thousand rows/s',
};

const nameOf = ({ peer }: PeerResult): string => `${peer.name} ${peer.version}`.trim();

/** A table of Sluice, its engine and the peers; processor time is that of a million rows. */
export function peerTable(results: readonly PeerResult[]): string {
  const lines = results.map((result) => {
    const figures = (['csv', 'json'] as const).flatMap((format) => {
      const found = result.figures[format];
      if (found === undefined) return ['-', '-'];
      return [thousands(found.rowsPerSecond), found.cpuSeconds.toFixed(2)];
    });
    return [nameOf(result), result.peer.transport, ...figures, result.peer.caveat];
  });
  return markdownTable(HEADER, lines);
}

const thousands = (value: number): string => `${Math.round(value / 1000).toLocaleString('en')} k`;

/** One panel a format, fastest first. */
export function peerPanels(results: readonly PeerResult[]): readonly Panel[] {
  return (['csv', 'json'] as const).map((format) => ({
    title: FORMAT_TITLES[format],
    bars: results
      .flatMap((result): readonly Bar[] => {
        const found = result.figures[format];
        return found === undefined
          ? []
          : [
              {
                label: result.peer.name,
                value: found.rowsPerSecond / 1000,
                note: result.peer.transport,
                kind: kindOf(result),
              },
            ];
      })
      .sort((a, b) => b.value - a.value),
  }));
}

function kindOf({ peer }: PeerResult): Bar['kind'] {
  if (peer.name === 'Sluice') return 'sluice';
  return peer.name === 'DuckDB COPY' ? 'limit' : 'peer';
}
