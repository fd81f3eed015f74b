import { useTranslation } from 'react-i18next'
import { StateMark, type Tone } from '../../components/state-mark.tsx'
import { useNow, RelativeTime } from '../../components/relative-time.tsx'
import { RunningImports } from './import-concerns.tsx'
import classes from './live.module.css'
import type { Overview } from './overview.tsx'

// Current activity, below the page's title: whether products are up to date, and the progress of imports.

/** Computing payloads may take this long before it is shown as late. */
const COMPUTING_LATE_MS = 60_000

/** The tone of the feed's state. Computing is only a warning if it is late. */
export function feedTone(feed: Overview['feed'], now: Date): Tone {
  if (feed.waiting_products === 0 && feed.waiting_sweeps === 0) return feed.last_change_at === null ? 'off' : 'good'
  const since = feed.waiting_since
  return since !== null && now.getTime() - new Date(since).getTime() > COMPUTING_LATE_MS ? 'warn' : 'busy'
}

/** Whether stores read current payloads. */
export function FeedState({ feed }: { feed: Overview['feed'] }) {
  const { t } = useTranslation('overview')
  const now = useNow()
  return (
    <span className={classes.feed}>
      <StateMark tone={feedTone(feed, now)}>
        {feed.waiting_products === 0 && feed.waiting_sweeps === 0 ? (
          <Current at={feed.last_change_at} />
        ) : (
          <>
            {feed.waiting_products > 0
              ? t(feed.is_capped ? 'feed.computingMany' : 'feed.computing', { count: feed.waiting_products })
              : t('feed.sweeping', { count: feed.waiting_sweeps })}
            {feed.waiting_since === null ? null : (
              <>
                , {t('feed.since')} <RelativeTime at={feed.waiting_since} />
              </>
            )}
          </>
        )}
      </StateMark>
    </span>
  )
}

function Current({ at }: { at: string | null }) {
  const { t } = useTranslation('overview')
  return at === null ? (
    t('feed.empty')
  ) : (
    <>
      {t('feed.current')} <RelativeTime at={at} />
    </>
  )
}

/** Running imports; nothing if there are none. */
export function Running({ running }: { running: Overview['imports']['running'] }) {
  return running.length === 0 ? null : (
    <ul className={classes.running}>
      <RunningImports running={running} />
    </ul>
  )
}
