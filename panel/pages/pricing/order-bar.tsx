import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RuleChangeBody } from '../../../contract/panel/previews.ts'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useAccount } from '../../session/account.ts'
import { CheckProgress, isRunning, useCheck, usePreview, useStartCheck } from './checking.tsx'
import { PreviewPane } from './preview-pane.tsx'
import classes from './pricing.module.css'
import { saveChange } from './rules.ts'

/** A changed order that is not saved yet: its preview, and buttons to save or discard it. */
export function OrderBar({
  change,
  checkId,
  setCheck,
  saved,
  undo,
}: {
  change: RuleChangeBody
  checkId: number | undefined
  setCheck: (operationId: number | undefined) => void
  saved: (operationId: number | null) => void
  undo: () => void
}) {
  const { t } = useTranslation(['pricing', 'shared'])
  const account = useAccount()
  const { preview, error, isOld } = usePreview(account.id, change)
  const startCheck = useStartCheck()
  const { check } = useCheck(checkId)
  const attempt = useMutation({ mutationFn: (work: () => Promise<void>) => work() })
  const isOurs = check !== undefined && JSON.stringify(check.change) === JSON.stringify(change)
  const whole = isOurs && check.state === 'succeeded' && check.is_current ? check.preview : null
  return (
    <section className={classes.order} aria-label={t('order.title')}>
      <h3>{t('order.title')}</h3>
      <PreviewPane
        preview={whole ?? preview}
        error={whole === null ? error : null}
        isOld={whole === null && isOld}
        isFolded
      />
      {isOurs ? <CheckProgress check={check} /> : null}
      <ProblemNote error={attempt.error} />
      <div className={classes.buttons} style={{ marginTop: 12 }}>
        <Button
          loading={attempt.isPending}
          onClick={() => attempt.mutate(async () => saved(await saveChange(account.id, change, null)))}
        >
          {t('order.save')}
        </Button>
        <Button variant="default" onClick={undo}>
          {t('order.undo')}
        </Button>
        {whole !== null || (isOurs && isRunning(check.state)) ? null : (
          <Button variant="default" onClick={() => attempt.mutate(async () => setCheck(await startCheck(change)))}>
            {t('check.start')}
          </Button>
        )}
      </div>
    </section>
  )
}
