import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { List } from '../../components/list.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { When } from '../../components/when.tsx'
import { browserName } from './browser-name.ts'

/** What happened to the person's sign-in: what one does not recognise is a reason to change the password. */
export function EventsSection() {
  const { t } = useTranslation('profile')
  const events = useRead('GET /panel/api/person/events')
  return (
    <Section title={t('events.title')} note={t('events.note')} isFlush>
      <Loaded query={events} lines={3}>
        {({ data }) => (
          <List
            label={t('events.title')}
            rows={data.map((event, number) => ({ ...event, number }))}
            keyOf={(event) => event.number}
            empty={null}
            phoneLine={(event) => (
              <>
                {event.address} · <When at={event.at} />
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
              { id: 'at', title: t('events.at'), width: '20%', isWide: true, cell: (event) => <When at={event.at} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
