import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { isOpen, type RunDetails } from '../../api/runs.ts'
import { FaultText } from '../../components/fault-text.tsx'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './supplier.module.css'

/**
 * Values that could not be read, grouped by field and reason, with an example each; all refused rows can be downloaded.
 */
export function RunRefusals({ run }: { run: RunDetails }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const params = { ...useAccountParams(), run_id: run.id }
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/runs/{run_id}/choices',
    { params },
    { isEnabled: !isOpen(run) },
  ).data?.data
  return (
    <>
      {run.refusals.length === 0 ? null : <RefusalTable groups={run.refusals} />}
      {run.stale === 0 ? null : (
        <p className={classes.advice}>{t('refusals.stale', { count: run.stale, shown: format.number(run.stale) })}</p>
      )}
      {choices === undefined ? null : choices.is_refusals_kept ? (
        <div className={classes.buttons}>
          <Button
            component="a"
            variant="default"
            href={`/panel/api/accounts/${params.account_id}/imports/${run.id}/refusals`}
            download
          >
            {t('refusals.download')}
          </Button>
        </div>
      ) : (
        <p className={classes.advice}>{t('refusals.gone')}</p>
      )}
    </>
  )
}

/** Groups of values that could not be read, by field and reason, with an example each. */
export function RefusalTable({ groups }: { groups: RunDetails['refusals'] }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const nameOf = useRefusedField()
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('refusals.field')}</th>
          <th scope="col">{t('refusals.reason')}</th>
          <th scope="col" className={classes.number}>
            {t('refusals.rows')}
          </th>
          <th scope="col">{t('refusals.example')}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ field, columns, reason, count, examples: [example] }) => (
          <tr key={`${field} ${reason} ${example?.value}`}>
            <td>
              {nameOf(field)}
              {columns.length === 0 ? null : (
                <div className={classes.quiet} dir="auto">
                  {t('refusals.columns', { count: columns.length, columns: columns.join(', ') })}
                </div>
              )}
            </td>
            <td>
              <FaultText reason={reason} />
            </td>
            <td className={classes.number}>{t('refusals.count', { count, shown: format.number(count) })}</td>
            <td dir="auto">
              {example === undefined
                ? '–'
                : [
                    ...(example.line === null ? [] : [t('refusals.line', { line: format.number(example.line) })]),
                    ...(example.sku === null ? [] : [example.sku]),
                    ...(example.value === null ? [] : [format.quote(example.value)]),
                  ].join(' · ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const OWN = ['sku', 'cost', 'currency', 'quantity', 'offer'] as const

/** The name of an offer's field in refusals and changes: with its language, or the key of its attribute. */
function useRefusedField(): (name: string) => string {
  const { t, i18n } = useTranslation(['runs', 'resources'])
  return (name) => {
    if (name === '' || name === 'row') return t('refusals.row')
    const [first = '', ...rest] = name.split('.')
    const own = OWN.find((one) => one === first)
    const key = `resources:fields.${first === 'eans' ? 'ean' : first}`
    const field =
      own !== undefined ? t(`refusals.fields.${own}`) : i18n.exists(key) ? t(key as 'resources:fields.title') : first
    return rest.length === 0 ? field : t('changes.inLanguage', { field, locale: rest.join('.') })
  }
}
