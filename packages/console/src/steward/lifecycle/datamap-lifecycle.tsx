import type { FoundDatamap } from '@sluice/client';
import { useState } from 'react';
import { useAction } from '../../api/use-action.ts';
import { ifUnchanged, useClient, type Versioned } from '../../api/use-client.ts';
import { useTranslation } from '../../i18n/translate.tsx';
import { SavedNote } from '../../ui/audit-log-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ImpactDialog } from './impact-dialog.tsx';
import './datamap-lifecycle.css';

interface DatamapLifecycleProps {
  readonly found: Versioned<FoundDatamap>;
  /** Reads the datamap again. */
  readonly refetch: () => Promise<unknown>;
  /** Called with the id of the request that deleted the datamap. */
  readonly onDeleted: (requestId: string) => void;
}

type Step = 'publish' | 'unpublish' | 'archive' | 'delete';

/** Steps that lead on from a state, as the host allows them. */
const STEPS: Readonly<Record<FoundDatamap['datamap']['state'], readonly Step[]>> = {
  DRAFT: ['publish', 'archive', 'delete'],
  IN_PROGRESS: ['publish', 'archive'],
  PUBLISHED: ['unpublish', 'archive'],
  ARCHIVED: ['publish', 'delete'],
};

const OPERATIONS = {
  publish: 'publishDatamap',
  unpublish: 'unpublishDatamap',
  archive: 'archiveDatamap',
  delete: 'deleteDatamap',
} as const satisfies Record<Step, string>;

/** Buttons that publish, withdraw, archive and delete a datamap. What others would lose is shown before. */
export function DatamapLifecycle({ found, refetch, onDeleted }: DatamapLifecycleProps) {
  const { t } = useTranslation();
  const client = useClient();
  const [asked, setAsked] = useState<Step>();
  const [done, setDone] = useState<{ readonly step: Exclude<Step, 'delete'>; readonly requestId: string }>();
  const { id, datamap } = found.value;
  const { start, isRunning, failure } = useAction(
    (step: Step, options) =>
      client.api[OPERATIONS[step]]({ params: { id }, ...ifUnchanged(found), ...options }).catch(
        async (error: unknown) => {
          // Somebody else may have changed it.
          await refetch();
          throw error;
        },
      ),
    {
      async onDone({ input: step, requestId }) {
        if (step === 'delete') return onDeleted(requestId);
        await refetch();
        setDone({ step, requestId });
      },
    },
  );
  const choose = (step: Step): void => {
    setDone(undefined);
    if (datamap.state === 'PUBLISHED' || step === 'delete') setAsked(step);
    else void start(step);
  };
  return (
    <div className="datamap-lifecycle">
      <Failure error={failure} />
      {done !== undefined && <SavedNote text={t(`lifecycle.done.${done.step}`)} requestId={done.requestId} />}
      <div className="datamap-lifecycle__steps">
        {STEPS[datamap.state].map((step) => (
          <Button
            key={step}
            size="s"
            kind={step === 'publish' ? 'primary' : 'secondary'}
            isDisabled={isRunning || (step === 'publish' && datamap.advanced_mode.sql === null)}
            onPress={() => choose(step)}
          >
            {t(`lifecycle.${step}`)}
          </Button>
        ))}
      </div>
      <ImpactDialog
        datamap={found.value}
        title={t(`lifecycle.ask.${asked ?? 'archive'}`)}
        action={t(`lifecycle.${asked ?? 'archive'}`)}
        change={asked === 'delete' ? 'deleted' : 'withdrawn'}
        isOpen={asked !== undefined}
        onConfirm={() => asked !== undefined && void start(asked)}
        onClose={() => setAsked(undefined)}
      />
    </div>
  );
}
