import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { hasShape } from '../api/has-shape.ts';
import type { TreeAction } from '../catalog/tree/table-tree.tsx';
import { TablesPanel } from '../catalog/tree/tables-panel.tsx';
import { pathOf, sqlOf, type TreeName } from '../catalog/tree/tree-rows.ts';
import { useTranslation } from '../i18n/translate.tsx';
import { catalogPath } from '../router/object-paths.ts';
import { navigate } from '../router/router.ts';
import { useCurrentUser, useSession } from '../session/session-context.tsx';
import { readLocalSetting, storeLocalSetting } from '../theme/local-setting.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ResizeBar } from '../ui/resize-bar.tsx';
import { visibleText } from '../ui/visible-text.tsx';
import { SampleRows, useSampleRun } from './sample-rows.tsx';
import './tables-beside.css';

/** Editor beside the tables. */
export interface TableTarget {
  /** Writes a name at the cursor. */
  insert(name: string): void;
  /** Writes a statement into the tab if it is empty, and else into a new one with this name. */
  open(sql: string, name: string): void;
}

/** Returns a statement that shows rows of a table. Its limit is visible, so that it can be changed. */
export const selectOf = (table: string): string => `SELECT *\nFROM ${table}\nLIMIT 1000`;

const SAMPLE_SIZE = 100;
/** Beside an editor of a narrower window, the tables would leave too little of it. */
const NARROW = '(max-width: 56rem)';
const WIDTH_MIN = 180;
const WIDTH_MAX = 640;
const LAYOUT = { width: 272, isOpen: true };

/** Width and visibility of the tables, which this browser remembers for a user. */
function useLayout(owner: string) {
  const key = `sluice.tables ${owner}`;
  const [layout, setLayout] = useState(() => {
    try {
      const stored: unknown = JSON.parse(readLocalSetting(key) ?? '');
      return hasShape(LAYOUT, stored) ? stored : LAYOUT;
    } catch {
      return LAYOUT;
    }
  });
  const change = (fields: Partial<typeof LAYOUT>): void => {
    const next = { ...layout, ...fields };
    setLayout(next);
    storeLocalSetting(key, JSON.stringify(next));
  };
  const widthMax = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, Math.round(window.innerWidth / 2)));
  const width = Math.min(Math.max(layout.width, WIDTH_MIN), widthMax);
  return { width, widthMax, isOpen: layout.isOpen, change };
}

const narrow = (): MediaQueryList => window.matchMedia(NARROW);

function subscribeToWidth(listener: () => void): () => void {
  const query = narrow();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

interface TablesBesideProps {
  readonly target: RefObject<TableTarget | null>;
  /** Renders the editor with the button that shows the tables. Without `datamap:read`, there is none. */
  readonly children: (button: ReactNode) => ReactNode;
}

/** Tables beside the editor, or in a drawer where the window is narrow. */
export function TablesBeside({ target, children }: TablesBesideProps) {
  const { t } = useTranslation();
  const { id, permissions } = useCurrentUser();
  const layout = useLayout(`${useSession().addresses.tenant} ${id}`);
  const isNarrow = useSyncExternalStore(subscribeToWidth, () => narrow().matches);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [sampled, setSampled] = useState<TreeName>();
  if (!permissions.includes('datamap:read')) return children(undefined);
  const isBeside = layout.isOpen && !isNarrow;
  const act = (action: TreeAction, name: TreeName): void => {
    // The drawer is closed first: it keeps the focus while it is open.
    flushSync(() => setDrawerOpen(false));
    const page = catalogPath(...pathOf(name));
    if (action === 'insert') target.current?.insert(sqlOf(name));
    else if (action === 'select') target.current?.open(selectOf(sqlOf(name)), visibleText(name.name));
    else if (action === 'sample') setSampled(name);
    else if (page !== undefined) navigate(page);
  };
  return (
    <div className="tables-beside">
      {isBeside && (
        <section className="tables-beside__section" aria-label={t('tables.title')}>
          <div className="tables-beside__panel" style={{ inlineSize: layout.width }}>
            <TablesPanel onAction={act} />
          </div>
          <ResizeBar
            label={t('tables.width')}
            value={layout.width}
            min={WIDTH_MIN}
            max={layout.widthMax}
            onChange={(width) => layout.change({ width })}
          />
        </section>
      )}
      {children(
        <Button
          size="s"
          kind="quiet"
          icon="catalog"
          aria-expanded={isNarrow ? isDrawerOpen : layout.isOpen}
          onPress={() => (isNarrow ? setDrawerOpen(true) : layout.change({ isOpen: !layout.isOpen }))}
        >
          {t('tables.title')}
        </Button>,
      )}
      <Dialog
        title={t('tables.title')}
        width="drawer"
        isOpen={isNarrow && isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
      >
        <div className="tables-beside__drawer">
          <TablesPanel onAction={act} />
        </div>
        <DialogActions onClose={() => setDrawerOpen(false)} />
      </Dialog>
      <Dialog
        title={t('tables.sample', { name: visibleText(sampled?.name ?? '') })}
        width="l"
        isOpen={sampled !== undefined}
        onClose={() => setSampled(undefined)}
      >
        {sampled !== undefined && <Sample sql={`SELECT * FROM ${sqlOf(sampled)}`} />}
        <DialogActions onClose={() => setSampled(undefined)} />
      </Dialog>
    </div>
  );
}

/** Sample of a table. It starts by itself, because the user has chosen it from a menu. */
function Sample({ sql }: { readonly sql: string }) {
  const sample = useSampleRun();
  const start = useEffectEvent(() => sample.start({ sql, size: SAMPLE_SIZE }));
  useEffect(() => start(), []);
  return <SampleRows sample={sample} size={SAMPLE_SIZE} readInput={() => ({ sql })} />;
}
