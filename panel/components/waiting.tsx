import { useTranslation } from 'react-i18next'
import classes from './waiting.module.css'

const WIDTHS = ['72%', '58%', '66%', '49%', '61%', '54%']

/** Stands for content that is on its way; seen only when that takes longer than 300 ms. */
export function Waiting({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation()
  return (
    <div className={classes.waiting} role="status" aria-label={t('waiting')}>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className={classes.line} style={{ width: WIDTHS[i % WIDTHS.length] }} />
      ))}
    </div>
  )
}
