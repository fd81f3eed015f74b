import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { isOpen, type RunDetails } from '../../api/runs.ts'
import { useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useRefusedField } from './refused-field.ts'
import classes from './supplier.module.css'

/** What could not be read, by field and reason with an example each; every row is a file. */
export function RunRefusals({ run }: { run: RunDetails }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const nameOf = useRefusedField()
  const params = { ...useAccountParams(), run_id: run.id }
  const choices = useRead(
    'GET /panel/api/accounts/{account_id}/runs/{run_id}/choices',
    { params },
    { isEnabled: !isOpen(run) },
  ).data?.data
  return (
    <>
      {run.refusals.length === 0 ? null : (
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
            {run.refusals.map(({ field, columns, reason, count, examples: [example] }) => (
              <tr key={`${field} ${reason} ${example?.value}`}>
                <td>
                  {nameOf(field)}
                  {columns.length === 0 ? null : (
                    <div className={classes.quiet} dir="auto">
                      {t('refusals.columns', { count: columns.length, columns: columns.join(', ') })}
                    </div>
                  )}
                </td>
                <td lang="en" dir="auto">
                  {reason}
                </td>
                <td className={classes.number}>{t('refusals.count', { count, shown: format.number(count) })}</td>
                <td dir="auto">
                  {example === undefined
                    ? '–'
                    : [
                        ...(example.line === null ? [] : [t('refusals.line', { line: format.number(example.line) })]),
                        ...(example.sku === null ? [] : [example.sku]),
                        ...(example.value === null ? [] : [`“${example.value}”`]),
                      ].join(' · ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {run.stale === 0 ? null : (
        <p className={classes.advice}>{t('refusals.stale', { count: run.stale, shown: format.number(run.stale) })}</p>
      )}
      {choices === undefined ? null : choices.is_refusals_kept ? (
        <div className={classes.buttons}>
          <Button
            component="a"
            variant="default"
            href={`/panel/api/accounts/${params.account_id}/runs/${run.id}/refusals`}
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
