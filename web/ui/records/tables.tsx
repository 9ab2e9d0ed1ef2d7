import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordType } from '../../../src/fields/index.ts'
import { ApiError, type Query } from '../../client/index.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Verdict } from '../marks.tsx'
import { toast } from '../toast.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { columnsOf, csvOf, saveFile } from './csv.ts'

const perPage = 1000

/** The list as a table for a spreadsheet: all that fits the filters, in the order that is shown. */
export function SaveCsv({ record, query }: { record: RecordType; query: Query }) {
  const { client } = useRecords()
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const rows: { [name: string]: unknown }[] = []
      for (let page = 1; ; page++) {
        const found = await client.list(record, { ...query, page, per_page: perPage, total: false })
        rows.push(...(found.rows as { [name: string]: unknown }[]))
        if (!found.more) break
      }
      saveFile(`${record.plural}.csv`, csvOf(columnsOf(record), rows), 'text/csv')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast({ kind: 'failed', title: t('The table could not be made'), detail: error.message })
    }
    setBusy(false)
  }
  return <Button kind="quiet" icon="download" busy={busy} aria-label={t('Save as CSV')} onClick={() => void save()} />
}

/** What becomes of the rows of a file. (docs/api/export-import.md) */
interface Report {
  records: { [plural: string]: { created: number; updated: number; unchanged: number; refused: number } }
  errors: { line: number; field: string | null; message: string; remedy?: string }[]
  errors_omitted: number
}

/** Rows of a CSV file become records: tried first, then taken. */
export function ImportCsv({ record }: { record: RecordType }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="upload" onClick={() => setOpen(true)}>
        {t('Import …')}
      </Button>
      {isOpen && <ImportDialog record={record} onClose={() => setOpen(false)} />}
    </>
  )
}

function ImportDialog({ record, onClose }: { record: RecordType; onClose: () => void }) {
  const { client } = useRecords()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [report, setReport] = useState<{ of: Report; isDone: boolean } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  async function run(of: File, dryRun: boolean) {
    setBusy(true)
    setError(null)
    setReport(null)
    try {
      // By its name a browser may take it for something else.
      const { body } = await client.request<Report>('POST', 'import', {
        query: { record: record.plural },
        file: of.slice(0, of.size, 'text/csv'),
        dryRun,
      })
      setReport({ of: body, isDone: !dryRun })
      if (!dryRun) await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(record.name) })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    }
    setBusy(false)
  }
  const counts = report?.of.records[record.plural]
  const kept = counts ? counts.created + counts.updated : 0
  return (
    <Dialog
      open
      wide
      title={t('Import from CSV')}
      onClose={onClose}
      foot={
        <>
          <Button {...(report?.isDone && { kind: 'primary' as const })} onClick={onClose}>
            {report?.isDone ? t('Close') : t('Cancel')}
          </Button>
          {file && !report?.isDone && (
            <Button
              kind="primary"
              busy={busy}
              unless={kept === 0 && t('No row of the file would be kept')}
              onClick={() => void run(file, false)}
            >
              {t('Import {count, plural, one {# row} other {# rows}}', { count: kept })}
            </Button>
          )}
        </>
      }
    >
      <p className="two-ink">
        {t(
          'The first line names the columns, as in a file that was saved here. Rows with a known id or number are changed, the others are made. Nothing is written until you have seen what would become of it.',
        )}
      </p>
      <label className="field">
        <span className="label">{t('CSV file')}</span>
        <input
          type="file"
          accept=".csv,text/csv"
          onChange={({ target: { files } }) => {
            const [chosen = null] = files ?? []
            setFile(chosen)
            if (chosen) void run(chosen, true)
          }}
        />
      </label>
      {error && <Verdict kind="no">{error}</Verdict>}
      {report && counts && (
        <Verdict
          kind={report.isDone ? 'yes' : counts.refused > 0 ? 'warn' : 'note'}
          title={report.isDone ? t('Imported') : t('Tried, and nothing written yet')}
        >
          {t('{created} new, {updated} changed, {unchanged} as they are, {refused} wrong', { ...counts })}
        </Verdict>
      )}
      {report && report.of.errors.length > 0 && (
        <ul className="import-errors">
          {report.of.errors.map(({ line, field, message, remedy }) => (
            <li key={`${line} ${field} ${message}`}>
              <b>{t('Line {line}', { line })}</b> {message}
              {remedy && <span className="two-ink">. {remedy}</span>}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
