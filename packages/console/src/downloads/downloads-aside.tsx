import { onDemand } from '../ui/on-demand.tsx';
import { useDownloadList } from './downloads-context.tsx';

const DownloadPanel = onDemand(
  async () => (await import('./download-panel.tsx')).DownloadPanel,
  ({ isOpen }) => isOpen,
);

/** The downloads of this tab, beside every page. */
export function DownloadsAside() {
  return <DownloadPanel isOpen={useDownloadList().isOpen} />;
}
