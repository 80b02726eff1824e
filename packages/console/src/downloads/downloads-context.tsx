import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { announce } from '../ui/live-regions.tsx';
import type { DownloadSnapshot, DownloadState } from './download-state.ts';
import { type DownloadList, DownloadStore } from './download-store.ts';

const DownloadsContext = createContext<DownloadStore | undefined>(undefined);

/** Ends that are announced when a screen reader is idle. */
const POLITE: readonly DownloadState[] = ['saved', 'handed', 'complete', 'cancelled'];

/** Tells users of screen readers how a download ended: failures immediately. */
function useAnnouncedEnd(): (download: DownloadSnapshot) => void {
  const { t } = useTranslation();
  return ({ fileName, state }) =>
    announce(
      t('downloads.announce', { file: fileName, state: t(`downloads.state.${state}`) }),
      POLITE.includes(state) ? 'polite' : 'assertive',
    );
}

/** Makes the downloads of this tab available to every page. */
export function DownloadsProvider({ children }: { readonly children: ReactNode }) {
  const { client, addresses } = useSession();
  const { id } = useCurrentUser();
  const [store] = useState(
    () => new DownloadStore({ client, streamUrl: addresses.streamUrl, owner: `${addresses.tenant} ${id}` }),
  );
  const announceEnd = useEffectEvent(useAnnouncedEnd());
  useEffect(() => {
    const stop = store.onEnd((download) => announceEnd(download));
    store.resume();
    return stop;
  }, [store]);
  return <DownloadsContext value={store}>{children}</DownloadsContext>;
}

/** Returns the downloads of this tab. */
export function useDownloadStore(): DownloadStore {
  const store = useContext(DownloadsContext);
  if (store === undefined) throw new Error('useDownloadStore needs a DownloadsProvider.');
  return store;
}

/** Returns the list of downloads, and renders again when it changes. */
export function useDownloadList(): DownloadList {
  const store = useDownloadStore();
  return useSyncExternalStore(store.subscribe, store.getList);
}
