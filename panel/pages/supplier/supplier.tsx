import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead, useRefreshAccount } from '../../api/read.ts'
import { useRuns } from '../../api/runs.ts'
import { useSources } from '../../api/sources.ts'
import { changeResource, deleteResource, readResource, useResource } from '../../api/resources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Waiting } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { showMessage } from '../../components/messages.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { EditSource } from '../../resources/editor.tsx'
import type { FormSpec } from '../../resources/field.ts'
import { SUPPLIER_LIMITS, SUPPLIER_SPEC } from '../../resources/supplier-spec.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { LimitsTab } from './limits.tsx'
import { RunsTab } from './runs.tsx'
import { SourcesTab } from './sources.tsx'
import type { SupplierSearch, supplierTabs } from './search.ts'
import '../../runs/words.ts'
import { addWords } from '../../words/add-words.ts'
import sourcesWords from '../../words/en/sources.json'
import '../../words/resources.ts'

addWords({ sources: sourcesWords })

/** The tabs of a supplier's page, in their order. `useFirstTab` chooses the default. */
const TABS: readonly {
  name: keyof typeof supplierTabs
  Content: (props: { code: string }) => ReactNode
  isNarrow?: true
}[] = [
  { name: 'sources', Content: SourcesTab },
  { name: 'runs', Content: RunsTab },
  { name: 'limits', Content: LimitsTab, isNarrow: true },
  { name: 'settings', Content: SettingsTab, isNarrow: true },
]

/** Without the limits, which have a tab of their own. */
const SETTINGS_SPEC: FormSpec = {
  name: 'suppliers',
  required: SUPPLIER_SPEC.required,
  fixed: SUPPLIER_SPEC.fixed,
  fields: Object.fromEntries(
    Object.entries(SUPPLIER_SPEC.fields).filter(([name]) => !Object.hasOwn(SUPPLIER_LIMITS.fields, name)),
  ),
}

/** One supplier: its sources, runs, limits and settings. */
export function SupplierPage() {
  const { t } = useTranslation('import')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const navigate = useNavigate()
  const { supplier: code } = useParams({ from: '/signed/$account/suppliers/$supplier' })
  const search = useSearch({ from: '/signed/$account/suppliers/$supplier' })
  const supplier = useResource(account.id, 'suppliers', code)
  const first = useFirstTab(code, search)
  // the default tab does not change while the page is open, even if the last source is deleted
  const [opened, open] = useState<{ code: string; first: keyof typeof supplierTabs } | null>(null)
  if (first !== undefined && opened?.code !== code) open({ code, first })
  // an unknown tab in the address is ignored
  const shown =
    TABS.find(({ name }) => name === search.tab) ??
    TABS.find(({ name }) => name === (opened?.code === code ? opened.first : first))
  if (supplier.isError && supplier.data === undefined)
    return (
      <Page title={code} above={{ to: `/${account.id}/suppliers`, label: words.of('title') }}>
        <ProblemNote error={supplier.error} retry={() => void supplier.refetch()} />
      </Page>
    )
  return (
    <Page
      title={supplier.data?.data.name ?? code}
      above={{ to: `/${account.id}/suppliers`, label: words.of('title') }}
      width={shown?.isNarrow === true ? 'narrow' : 'wide'}
      actions={
        <LinkButton to={`/${account.id}/suppliers/${code}/import`} variant={first === 'runs' ? 'filled' : 'default'}>
          {t('importFile')}
        </LinkButton>
      }
    >
      <Tabs
        value={shown?.name ?? null}
        onChange={(next) => void navigate({ to: '.', search: { tab: next ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <TabList chosen={shown?.name ?? null} aria-label={words.of('tabs')}>
          {TABS.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {words.of(`tab.${name}`)}
            </Tabs.Tab>
          ))}
        </TabList>
        {TABS.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Content code={code} />
          </Tabs.Panel>
        ))}
        {shown === undefined ? <Waiting lines={8} /> : null}
      </Tabs>
    </Page>
  )
}

/**
 * The default tab: sources; but runs for a supplier without sources whose files are imported by hand, because an empty list says less.
 * Undefined until it is known.
 */
function useFirstTab(code: string, { open, new: isNew }: SupplierSearch): keyof typeof supplierTabs | undefined {
  const account = useAccount()
  const sources = useSources({ accountId: account.id, code })
  const filter = { supplier: code, state: undefined, source: undefined }
  const { rows: runs, query } = useRuns(account.id, filter, { isEnabled: sources.data?.length === 0, isStill: true })
  if (open !== undefined || isNew === true || sources.isError || query.isError) return 'sources'
  if (sources.data === undefined) return undefined
  if (sources.data.length > 0) return 'sources'
  return runs === undefined ? undefined : runs.length > 0 ? 'runs' : 'sources'
}

function SettingsTab({ code }: { code: string }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const navigate = useNavigate()
  const format = useFormats()
  const refresh = useRefreshAccount()
  const uses = useRead('GET /panel/api/accounts/{account_id}/supplier-uses', { params: useAccountParams() })
  const [removed, setRemoved] = useState<{ id: number; name: string } | null>(null)
  const offers = uses.data?.data.find((row) => row.supplier_id === removed?.id)?.offers ?? 0
  return (
    <Section title={words.of('tab.settings')}>
      <EditSource
        name={['suppliers', code]}
        spec={SETTINGS_SPEC}
        remove={setRemoved}
        source={{
          read: () => readResource(account.id, 'suppliers', code),
          change: (body, revision) => changeResource(account.id, 'suppliers', code, body, revision),
        }}
      />
      {removed === null ? null : (
        <Confirm
          title={t('deleteTitle', { name: removed.name })}
          action={words.of('delete')}
          typed={removed.name}
          run={async () => {
            await deleteResource(account.id, 'suppliers', code)
            showMessage(t('deleted', { name: removed.name }))
            await navigate({ to: `/${account.id}/suppliers` })
            void refresh()
          }}
          close={() => setRemoved(null)}
        >
          <p>{words.of('deletes')}</p>
          <p>{words.of('takes', { name: removed.name, count: offers, shown: format.number(offers) })}</p>
        </Confirm>
      )}
    </Section>
  )
}
