import { Tabs } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { deleteResource, useRefreshSettings, useResource } from '../../api/resources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { tell } from '../../components/told.tsx'
import { EditResource } from '../../resources/editor.tsx'
import { SUPPLIER_SPEC } from '../../resources/supplier-spec.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

/** The parts of a supplier's page, in their order; the first one is shown unless the address says otherwise. */
const TABS: readonly { name: 'settings'; Content: (props: { code: string }) => ReactNode }[] = [
  { name: 'settings', Content: SettingsTab },
]

/** One supplier. */
export function SupplierPage() {
  const { t } = useTranslation('import')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const navigate = useNavigate()
  const { supplier: code } = useParams({ from: '/signed/$account/suppliers/$supplier' })
  const { tab } = useSearch({ from: '/signed/$account/suppliers/$supplier' })
  const supplier = useResource(account.id, 'suppliers', code)
  const shown = TABS.find(({ name }) => name === tab) ?? TABS[0]
  return (
    <Page
      title={supplier.data?.data.name ?? code}
      above={{ to: `/${account.id}/suppliers`, label: words.of('title') }}
      width="narrow"
      actions={<LinkButton to={`/${account.id}/suppliers/${code}/import`}>{t('importFile')}</LinkButton>}
    >
      <Tabs
        value={shown?.name ?? null}
        onChange={(next) => void navigate({ to: '.', search: { tab: next ?? undefined }, replace: true })}
        keepMounted={false}
      >
        <Tabs.List aria-label={words.of('tabs')}>
          {TABS.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {words.of(`tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ name, Content }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Content code={code} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  )
}

function SettingsTab({ code }: { code: string }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const navigate = useNavigate()
  const format = useFormats()
  const refresh = useRefreshSettings()
  const uses = useRead('GET /panel/api/accounts/{account_id}/supplier-uses', { params: useAccountParams() })
  const [removed, setRemoved] = useState<{ id: number; name: string } | null>(null)
  const offers = uses.data?.data.find((row) => row.supplier_id === removed?.id)?.offers ?? 0
  return (
    <Section title={words.of('tab.settings')}>
      <EditResource spec={SUPPLIER_SPEC} itemKey={code} remove={setRemoved} />
      {removed === null ? null : (
        <Confirm
          title={t('deleteTitle', { name: removed.name })}
          action={words.of('delete')}
          typed={removed.name}
          run={async () => {
            await deleteResource(account.id, 'suppliers', code)
            tell(t('deleted', { name: removed.name }))
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
