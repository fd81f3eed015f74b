import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'
import { useRead } from '../../api/read.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Empty } from '../../components/empty.tsx'
import { Facts } from '../../components/facts.tsx'
import { Filters } from '../../components/filters.tsx'
import { List, type Column } from '../../components/list.tsx'
import { Page } from '../../components/page.tsx'
import { Paged } from '../../components/paged.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { Toolbar } from '../../components/toolbar.tsx'
import { When } from '../../components/when.tsx'
import { useAccountParams } from '../../session/account.ts'
import classes from './audit.module.css'
import type { AuditSearch } from './search.ts'

type Entry = Answer<'GET /panel/api/accounts/{account_id}/audit'>['data'][number]

/** The actions one filters by most; any other can be in the address. */
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

/** A path without what is the same for all: `endpoints/7/secret`. */
const shortPath = (path: string) => path.replace(/^\/panel\/api\/accounts\/\d+\//, '')

/** What was changed in the panel, by whom, from where. */
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
  const columns: Column<Entry>[] = [
    { id: 'action', title: t('action'), width: '24%', cell: (entry) => actionName(entry.action) },
    { id: 'actor', title: t('actor'), cell: (entry) => <span dir="auto">{entry.actor.name}</span> },
    {
      id: 'target',
      title: t('target'),
      isWide: true,
      cell: (entry) => <span className={classes.quiet}>{shortPath(entry.target)}</span>,
    },
    { id: 'address', title: t('address'), width: '13%', isWide: true, cell: (entry) => entry.address },
    { id: 'at', title: t('at'), width: '14%', isWide: true, cell: (entry) => <When at={entry.at} /> },
  ]
  const open = entries.rows?.find(({ id }) => id === search.entry)
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
      <Paged query={entries}>
        {(rows) => (
          <List
            label={t('title')}
            columns={columns}
            rows={rows}
            keyOf={(entry) => entry.id}
            open={(entry) => change({ entry: entry.id })}
            openKey={search.entry ?? null}
            phoneLine={(entry) => <When at={entry.at} />}
            empty={<Empty>{(search.action ?? search.person) ? t('noneMatch') : t('none')}</Empty>}
          />
        )}
      </Paged>
      {open === undefined ? null : (
        <SidePanel title={actionName(open.action)} close={() => change({ entry: undefined })}>
          <Facts
            facts={[
              [
                t('actor'),
                <span key="actor" dir="auto">
                  {open.actor.name}
                </span>,
              ],
              [t('at'), <When key="at" at={open.at} />],
              [t('target'), open.target],
              [t('address'), open.address],
              [t('agent'), open.user_agent],
            ]}
          />
          <div className={classes.details}>
            <CodeBlock title={t('details')} code={JSON.stringify(open.details, null, 2)} wraps />
          </div>
        </SidePanel>
      )}
    </Page>
  )
}
