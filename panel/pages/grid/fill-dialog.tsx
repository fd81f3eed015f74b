import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useFormats } from '../../words/format.ts'
import { changesOf } from './fill.ts'
import classes from './grid.module.css'
import type { AskedFill, Fill } from './use-fill.ts'
import { ROWS_MAX } from './use-sheet.ts'

/** The most characters of a value that are shown. */
const VALUE_SHOWN = 200

/** Asks before every row of the list is written: how many rows, which value, and whether it can be undone. */
export function FillDialog({ fill, asked }: { fill: Fill; asked: AskedFill }) {
  const { t } = useTranslation(['grid', 'shared'])
  const format = useFormats()
  const { kind, range, fillings } = asked
  const { filler, total } = fill
  const marked = range.bottom - range.top + 1
  const isImpossible = filler === 'service' && changesOf(fillings) === null
  const doAll = useMutation({ mutationFn: fill.doAll, onSuccess: fill.close })
  return (
    <Dialog
      title={total === null ? t(`fill.${kind}All`) : t(`fill.${kind}`, { count: total })}
      close={fill.close}
      size={560}
    >
      <ProblemNote error={doAll.error} />
      <p>{t(kind === 'fill' ? 'fill.what' : 'fill.whatReset')}</p>
      <dl className={classes.filling}>
        {fillings.map(({ column, value }) => (
          <div key={column.name}>
            <dt>{column.title}</dt>
            <dd dir="auto" lang={column.locale}>
              {value === false
                ? t('hidden')
                : value === null || value === ''
                  ? t('fill.supplied')
                  : value.slice(0, VALUE_SHOWN)}
            </dd>
          </div>
        ))}
      </dl>
      <p role="status">
        {isImpossible
          ? t(fillings.some(({ column }) => column.kind === 'price') ? 'fill.price' : 'fill.costAlone')
          : filler === null
            ? t('fill.counting')
            : filler === 'grid'
              ? t('fill.byGrid')
              : t('fill.byService', { max: format.number(ROWS_MAX) })}
      </p>
      <div className={`${classes.buttons} ${classes.below}`}>
        <Button variant="default" onClick={fill.close}>
          {t('shared:cancel')}
        </Button>
        {marked > 1 ? (
          <Button variant="default" onClick={fill.doMarked}>
            {t('fill.marked', { count: marked })}
          </Button>
        ) : null}
        <Button
          loading={doAll.isPending}
          disabled={filler === null || isImpossible}
          onClick={() => doAll.mutate()}
          data-autofocus
        >
          {total === null ? t(`fill.${kind}Every`) : t(`fill.${kind}Rows`, { count: total })}
        </Button>
      </div>
    </Dialog>
  )
}
