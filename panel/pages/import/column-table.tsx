import { useTranslation } from 'react-i18next'
import { cellOf, type FileColumn } from './columns.ts'
import classes from './import.module.css'
import { fieldsOf, reads, type Doc } from './mapping.ts'
import type { PreviewedRow } from './preview-file.ts'
import { useFieldName } from './words.ts'

const SHOWN_COLUMNS = 200
const SHOWN_ROWS = 5

/** The columns that a page shows; a file may have thousands. */
export const shownColumns = (columns: readonly FileColumn[]): readonly FileColumn[] => columns.slice(0, SHOWN_COLUMNS)

/** The file's columns with their first values, and the offer's fields that each is used for. */
export function ColumnTable({
  columns,
  rows,
  doc,
}: {
  columns: readonly FileColumn[]
  rows: readonly PreviewedRow[]
  doc: Doc
}) {
  const { t } = useTranslation('import')
  const nameOf = useFieldName()
  const uses = Object.entries(fieldsOf(doc))
  const shown = shownColumns(columns)
  if (columns.length === 0) return <p className={classes.none}>{t('columns.none')}</p>
  return (
    <div className={classes.scrolls} tabIndex={0} role="region" aria-label={t('columns.table')}>
      <table className={classes.columns}>
        <thead>
          <tr>
            <td />
            {shown.map(({ name }) => {
              const fields = uses.filter(([, source]) => reads(source, name)).map(([field]) => field)
              return (
                <th key={name} scope="col" className={fields.length === 0 ? undefined : classes.used}>
                  <span dir="auto" title={name}>
                    {name}
                  </span>
                  <small>{fields.length === 0 ? t('columns.unused') : fields.map(nameOf).join(', ')}</small>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map(({ line, row }) => (
            <tr key={line}>
              <th scope="row" title={t('line', { line })}>
                {line}
              </th>
              {shown.map(({ name }) => {
                const text = cellOf(row, name)
                return (
                  <td key={name} dir="auto" title={text}>
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <MoreColumns columns={columns} />
    </div>
  )
}

/** The number of columns that are not shown. */
export function MoreColumns({ columns }: { columns: readonly FileColumn[] }) {
  const { t } = useTranslation('import')
  const more = columns.length - shownColumns(columns).length
  return more === 0 ? null : <p className={classes.quiet}>{t('columns.more', { count: more })}</p>
}
