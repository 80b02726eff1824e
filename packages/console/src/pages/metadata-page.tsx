import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { navigate, useQueryString } from '../router/router.ts';
import { useCurrentUser } from '../session/session-context.tsx';
import { Coverage } from '../steward/described/coverage.tsx';
import { ExportMetadata } from '../steward/export-metadata.tsx';
import type { FailedRow } from '../steward/import/failed-rows.ts';
import { FailedRowsList } from '../steward/import/failed-rows-list.tsx';
import { ImportActions } from '../steward/import/import-actions.tsx';
import { ImportProgress } from '../steward/import/import-progress.tsx';
import { ImportResults } from '../steward/import/import-results.tsx';
import { ImportSource } from '../steward/import/import-source.tsx';
import { ImportViolations } from '../steward/import/import-violations.tsx';
import { savePastedText } from '../steward/import/pasted-text.ts';
import { useMetadataImport } from '../steward/import/use-metadata-import.ts';
import { AuditLogLink } from '../ui/audit-log-link.tsx';
import { Button } from '../ui/button.tsx';
import { Row, Stack } from '../ui/layout.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';

const PATH = '/metadata';

/** Page on which a steward imports and exports descriptions and tags as files. */
export function MetadataPage() {
  const { t } = useTranslation();
  const isCoverage = new URLSearchParams(useQueryString()).get('tab') === 'coverage';
  const [tab, setTab] = useState<'import' | 'export' | 'coverage'>(isCoverage ? 'coverage' : 'import');
  return (
    <Page title={t('page.metadata')} about={t('import.about')}>
      <Tabs
        label={t('page.metadata')}
        selected={tab}
        onSelect={setTab}
        items={[
          { id: 'import', title: t('import.title'), content: <Import /> },
          { id: 'export', title: t('export.title'), content: <ExportMetadata /> },
          { id: 'coverage', title: t('describe.coverage'), content: <Coverage /> },
        ]}
      />
    </Page>
  );
}

/** Failed rows of an import, and the text with them that the form begins with. */
interface Corrected {
  readonly text: string;
  readonly rows: readonly FailedRow[];
}

function Import() {
  const { t } = useTranslation();
  const { tenant, id } = useCurrentUser();
  const query = useQueryString();
  const importId = new URLSearchParams(query).get('import');
  const metadataImport = useMetadataImport({
    // The address leads to the import, also after a reload, until another one begins.
    onImport: (started) =>
      navigate(started === undefined ? PATH : `${PATH}?${new URLSearchParams({ import: started })}`, {
        replaces: true,
      }),
  });
  const [corrected, setCorrected] = useState<Corrected>();
  const { state, check, follow } = metadataImport;
  const restart = (next?: Corrected): void => {
    setCorrected(next);
    metadataImport.restart();
  };
  const isOpened = useRef(false);
  useEffect(() => {
    // Only the address that the page was opened with is followed.
    if (!isOpened.current && importId !== null) follow(importId);
    isOpened.current = true;
  });
  const hasForm = state.kind === 'choosing' || state.kind === 'invalid';
  return (
    <Stack>
      {state.kind === 'invalid' && <ImportViolations violations={state.violations} />}
      <ImportProgress state={state} onStop={metadataImport.stop} onFollow={follow} />
      {hasForm && (
        <>
          {corrected !== undefined && corrected.rows.length > 0 && <FailedRowsList rows={corrected.rows} />}
          <ImportSource key={corrected?.text} text={corrected?.text} onCheck={check} />
        </>
      )}
      {state.kind === 'unconfirmed' && (
        <Row>
          <Button kind="primary" onPress={() => metadataImport.run(true)}>
            {t('import.dry-run')}
          </Button>
          <Button onPress={() => restart()}>{t('import.another')}</Button>
        </Row>
      )}
      {state.kind === 'ended' && (
        <ImportResults status={state.status} report={state.report}>
          <ImportActions
            metadataImport={metadataImport}
            status={state.status}
            onCorrect={(text, rows = []) => {
              savePastedText(`${tenant} ${id}`, text);
              restart({ text, rows });
            }}
            onRestart={() => restart()}
          />
          {/* Their request id is the id of the import. */}
          <p>
            <AuditLogLink search={{ requestId: state.status.import_id }} />
          </p>
        </ImportResults>
      )}
    </Stack>
  );
}
