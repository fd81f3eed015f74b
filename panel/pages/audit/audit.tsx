import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { useRead } from '../../api/read.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Empty } from '../../components/loaded.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { SidePanel } from '../../components/dialog.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useAccountParams } from '../../session/account.ts'
import classes from './audit.module.css'
import type { AuditSearch } from './search.ts'
import { bySave, type Group } from './sentence.ts'
import { useSentences } from './use-sentences.ts'
import { addWords } from '../../words/add-words.ts'
import auditWords from '../../words/en/audit.json'
import '../../words/resources.ts'

addWords({ audit: auditWords })

type Entry = Answer<'GET /panel/api/accounts/{account_id}/audit'>['data'][number]

/** The actions that can be chosen as a filter; the address can have any other. */
const ACTIONS = [
  'createToken',
  'rotateToken',
  'revokeToken',
  'createEndpoint',
  'patchEndpoint',
  'deleteEndpoint',
  'rotateSecret',
  'rewindEndpoint',
  'createEndpointLink',
  'invite',
  'patchMember',
  'removeMember',
] as const

/** The audit trail: what was changed in the panel, by whom and from where. */
export function AuditPage() {
  const { t, i18n } = useTranslation('audit')
  const params = useAccountParams()
  const search = useSearch({ from: '/signed/$account/audit' })
  const navigate = useNavigate()
  const change = (changes: AuditSearch) =>
    void navigate({
      to: '.',
      search: { ...search, ...changes },
      replace: !('entry' in changes),
      resetScroll: false,
    })
  const members = useRead('GET /panel/api/accounts/{account_id}/members', { params })
  const entries = useReadPages('GET /panel/api/accounts/{account_id}/audit', {
    params,
    query: { person_id: search.person, action: search.action },
  })
  const actionName = (action: string) =>
    i18n.exists(`audit:actions.${action}`) ? t(`actions.${action}` as 'actions.createToken') : action
  const groups = entries.rows === undefined ? undefined : bySave(entries.rows)
  const sentenceOf = useSentences(entries.rows ?? [])
  const columns: Column<Group<Entry>>[] = [
    {
      id: 'what',
      title: t('what'),
      cell: (group) => (
        <span dir="auto" title={sentenceOf(group)}>
          {sentenceOf(group)}
        </span>
      ),
    },
    { id: 'address', title: t('address'), width: '13%', isWide: true, cell: ({ entries: [entry] }) => entry.address },
    {
      id: 'at',
      title: t('at'),
      width: '14%',
      isWide: true,
      cell: ({ entries: [entry] }) => <RelativeTime at={entry.at} />,
    },
  ]
  const opened = groups?.find((group) => group.entries.some(({ id }) => id === search.entry))
  const open = opened?.entries[0]
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Toolbar>
        <Filters
          filters={[
            {
              name: 'person',
              label: t('actor'),
              value: search.person === undefined ? undefined : String(search.person),
              options: (members.data?.data ?? []).map(({ id, name, email }) => ({
                value: String(id),
                label: name ?? email,
              })),
            },
            {
              name: 'action',
              label: t('action'),
              value: search.action,
              options: ACTIONS.map((value) => ({ value, label: actionName(value) })),
            },
          ]}
          change={(name, value) =>
            change(name === 'person' ? { person: value === undefined ? undefined : Number(value) } : { action: value })
          }
        />
      </Toolbar>
      <ReadList
        query={entries.query}
        label={t('title')}
        columns={columns}
        rows={groups}
        keyOf={({ entries: [entry] }) => entry.id}
        open={({ entries: [entry] }) => change({ entry: entry.id })}
        openKey={open?.id ?? null}
        phoneLine={({ entries: [entry] }) => <RelativeTime at={entry.at} />}
        empty={
          (search.action ?? search.person) ? (
            <Empty>{t('noneMatch')}</Empty>
          ) : (
            <Empty headings={columns.map(({ title }) => title)}>{t('none')}</Empty>
          )
        }
      />
      {opened === undefined || open === undefined ? null : (
        <SidePanel title={sentenceOf(opened)} close={() => change({ entry: undefined })}>
          <Facts
            facts={[
              [
                t('actor'),
                <span key="actor" dir="auto">
                  {open.actor.name}
                </span>,
              ],
              [t('action'), actionName(open.action)],
              [t('at'), <RelativeTime key="at" at={open.at} />],
              [t('target'), open.target],
              [t('address'), open.address],
              [t('agent'), open.user_agent],
            ]}
          />
          {opened.entries.length === 1 ? null : <p>{t('saves', { count: opened.entries.length })}</p>}
          {opened.entries.map(({ id, details }) => (
            <div key={id} className={classes.details}>
              <CodeBlock title={t('details')} code={JSON.stringify(details, null, 2)} wraps />
            </div>
          ))}
        </SidePanel>
      )}
    </Page>
  )
}
