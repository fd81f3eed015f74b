import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { List } from '../../components/list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { When } from '../../components/when.tsx'
import { browserName } from './browser-name.ts'
import classes from './profile.module.css'

const LIST = 'GET /panel/api/sessions'

/** Where the person is signed in. */
export function SessionsSection() {
  const { t } = useTranslation('profile')
  const refresh = useRefresh()
  const sessions = useRead(LIST)
  const end = async (id: number) => {
    await call('DELETE /panel/api/sessions/{session_id}', { params: { session_id: id } })
    await refresh(LIST)
    tell(t('sessions.ended'))
  }
  return (
    <Section title={t('sessions.title')} isFlush>
      <Loaded query={sessions} lines={2}>
        {({ data }) => (
          <List
            label={t('sessions.title')}
            rows={data}
            keyOf={(session) => session.id}
            empty={null}
            phoneLine={(session) => (
              <>
                {session.address} · <When at={session.seen_at} />
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
                cell: (session) => <When at={session.seen_at} />,
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
          />
        )}
      </Loaded>
    </Section>
  )
}
