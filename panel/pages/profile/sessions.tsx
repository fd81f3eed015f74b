import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { ReadList } from '../../components/read-list.tsx'
import { Section } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import classes from './profile.module.css'
import { StateMark } from '../../components/state-mark.tsx'

const LIST = 'GET /panel/api/sessions'

/** The person's sessions. */
export function SessionsSection() {
  const { t } = useTranslation('profile')
  const refresh = useRefresh()
  const sessions = useRead(LIST)
  const end = async (id: number) => {
    await call('DELETE /panel/api/sessions/{session_id}', { params: { session_id: id } })
    await refresh(LIST)
    showMessage(t('sessions.ended'))
  }
  return (
    <Section title={t('sessions.title')} isFlush>
      <ReadList
        query={sessions}
        label={t('sessions.title')}
        rows={sessions.data?.data}
        keyOf={(session) => session.id}
        empty={null}
        phoneLine={(session) => (
          <>
            {session.address} · <RelativeTime at={session.seen_at} />
          </>
        )}
        columns={[
          {
            id: 'browser',
            title: t('sessions.browser'),
            cell: (session) => (
              <span title={session.user_agent}>
                {browserName(session.user_agent) ?? t('sessions.unknown')}
                {session.is_current ? <span className={classes.quiet}> · {t('sessions.current')}</span> : null}
              </span>
            ),
          },
          {
            id: 'address',
            title: t('sessions.address'),
            width: '22%',
            isWide: true,
            cell: (session) => session.address,
          },
          {
            id: 'seen',
            title: t('sessions.seen'),
            width: '20%',
            isWide: true,
            cell: (session) => <RelativeTime at={session.seen_at} />,
          },
          {
            id: 'end',
            title: '',
            width: '110px',
            isNumber: true,
            cell: (session) =>
              session.is_current ? null : (
                <Button variant="subtle" size="compact-sm" onClick={() => void end(session.id)}>
                  {t('sessions.end')}
                </Button>
              ),
          },
        ]}
        isInSection
        lines={2}
      />
    </Section>
  )
}

/** Events of the person's sign-in. An unknown one is a reason to change the password. */
export function EventsSection() {
  const { t } = useTranslation('profile')
  const events = useRead('GET /panel/api/person/events')
  return (
    <Section title={t('events.title')} note={t('events.note')} isFlush>
      <ReadList
        query={events}
        label={t('events.title')}
        rows={events.data?.data.map((event, number) => ({ ...event, number }))}
        keyOf={(event) => event.number}
        empty={null}
        phoneLine={(event) => (
          <>
            {event.address} · <RelativeTime at={event.at} />
          </>
        )}
        columns={[
          {
            id: 'kind',
            title: t('events.kind'),
            cell: (event) => (
              <StateMark tone={event.kind === 'sign-in-failed' ? 'warn' : 'off'}>
                {t(`events.kinds.${event.kind}`)}
              </StateMark>
            ),
          },
          {
            id: 'browser',
            title: t('sessions.browser'),
            width: '24%',
            isWide: true,
            cell: (event) => (
              <span title={event.user_agent}>{browserName(event.user_agent) ?? t('sessions.unknown')}</span>
            ),
          },
          {
            id: 'address',
            title: t('sessions.address'),
            width: '20%',
            isWide: true,
            cell: (event) => event.address,
          },
          {
            id: 'at',
            title: t('events.at'),
            width: '20%',
            isWide: true,
            cell: (event) => <RelativeTime at={event.at} />,
          },
        ]}
        isInSection
        lines={3}
      />
    </Section>
  )
}

// Names of browsers and systems in a user agent, by which people recognise their sessions. The order matters, because most
// user agents contain several names.

const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** undefined: unknown. */
function browserName(userAgent: string): string | undefined {
  const find = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  return browser === undefined ? system : system === undefined ? browser : `${browser}, ${system}`
}
