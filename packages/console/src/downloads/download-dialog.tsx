import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/translate.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type DownloadOptions, formatLabel, hasOption, NO_OPTIONS, SEPARATORS } from './download-options.ts';
import type { DownloadSource } from './download-source.ts';
import { useDownloadStore } from './downloads-context.tsx';
import { canCompare } from './fetch-file.ts';
import { fileNameOf } from './file-name.ts';
import { proposedName, savedFormatOf, startDownload } from './start-download.ts';
import './download-dialog.css';

interface DownloadDialogProps {
  /** Undefined: the dialog is closed. */
  readonly source: DownloadSource | undefined;
  readonly onClose: () => void;
}

/** Dialog with everything that can be chosen for a download. */
export function DownloadDialog({ source, onClose }: DownloadDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('action.download')} isOpen={source !== undefined} onClose={onClose}>
      {source !== undefined && <DownloadForm source={source} onClose={onClose} />}
    </Dialog>
  );
}

const SEPARATOR_NAMES = {
  ',': 'downloads.dialog.separator.comma',
  ';': 'downloads.dialog.separator.semicolon',
  '\t': 'downloads.dialog.separator.tab',
  '|': 'downloads.dialog.separator.pipe',
} as const;

const UTC = 'UTC';
const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

interface DownloadFormProps extends Pick<DownloadDialogProps, 'onClose'> {
  readonly source: DownloadSource;
}

function DownloadForm({ source, onClose }: DownloadFormProps) {
  const { t } = useTranslation();
  const store = useDownloadStore();
  const [name, setName] = useState(() => proposedName(source));
  const [format, setFormat] = useState(source.formats[0] ?? 'csv');
  const [options, setOptions] = useState(NO_OPTIONS);
  const [isComparing, setComparing] = useState(false);
  const change = (part: Partial<DownloadOptions>) => setOptions((before) => ({ ...before, ...part }));
  const has = (option: keyof DownloadOptions) =>
    source.hasOptions && hasOption(format, option) && !(option === 'timeZone' && source.kept !== undefined);
  const zones = [...new Set([UTC, ownTimeZone()])];
  const accepted = fileNameOf(name);
  const start = (event: FormEvent) => {
    event.preventDefault();
    startDownload(store, source, { format, name, options, isComparing });
    onClose();
  };
  const isSaved = savedFormatOf(source, { format, options, isComparing }) !== undefined;
  return (
    <form className="download-dialog" onSubmit={start}>
      {source.held === undefined || source.kept !== undefined ? (
        source.note !== undefined && <p className="download-dialog__note">{source.note}</p>
      ) : (
        <p className="download-dialog__note" role="status">
          {t(isSaved ? 'downloads.dialog.held' : 'query.download.again')}
        </p>
      )}
      <SelectField
        label={t('downloads.dialog.format')}
        value={format}
        choices={source.formats.map((id) => ({ id, label: formatLabel(id, t) }))}
        onChange={setFormat}
      />
      {format === 'xlsx' && <p className="download-dialog__note">{t('downloads.dialog.xlsx')}</p>}
      {source.hasOptions && (
        <TextField
          label={t('downloads.dialog.name')}
          value={name}
          onChange={setName}
          description={accepted === name.trim() ? undefined : t('downloads.dialog.accepted', { name: accepted })}
        />
      )}
      {has('timeZone') && zones.length > 1 && (
        <SelectField
          label={t('downloads.dialog.zone')}
          value={options.timeZone}
          choices={zones.map((id) => ({ id, label: id === UTC ? UTC : t('downloads.dialog.zone.own', { zone: id }) }))}
          onChange={(timeZone) => change({ timeZone })}
        />
      )}
      {has('excelSafe') && (
        <Checkbox
          label={t('downloads.dialog.excel-safe')}
          description={t('downloads.dialog.excel-safe.about')}
          isSelected={options.excelSafe}
          onChange={(excelSafe) => change({ excelSafe })}
        />
      )}
      {has('bom') && (
        <Checkbox
          label={t('downloads.dialog.bom')}
          description={t('downloads.dialog.bom.about')}
          isSelected={options.bom || options.excelSafe}
          isDisabled={options.excelSafe}
          onChange={(bom) => change({ bom })}
        />
      )}
      {has('excelDates') && (
        <Checkbox
          label={t('downloads.dialog.excel-dates')}
          description={t('downloads.dialog.excel-dates.about')}
          isSelected={options.excelDates}
          onChange={(excelDates) => change({ excelDates })}
        />
      )}
      {has('separator') && (
        <SelectField
          label={t('downloads.dialog.separator')}
          value={options.separator}
          choices={SEPARATORS.map((id) => ({ id, label: t(SEPARATOR_NAMES[id]) }))}
          onChange={(separator) => change({ separator })}
        />
      )}
      {has('bigNumbersAsText') && (
        <Checkbox
          label={t('downloads.dialog.big-numbers')}
          description={t('downloads.dialog.big-numbers.about')}
          isSelected={options.bigNumbersAsText}
          onChange={(bigNumbersAsText) => change({ bigNumbersAsText })}
        />
      )}
      {canCompare() && (
        <Checkbox
          label={t('downloads.dialog.compare')}
          description={t('downloads.dialog.compare.about')}
          isSelected={isComparing}
          onChange={setComparing}
        />
      )}
      <DialogActions onCancel={onClose}>
        <Button kind="primary" icon="download" type="submit">
          {t('action.download')}
        </Button>
      </DialogActions>
    </form>
  );
}
