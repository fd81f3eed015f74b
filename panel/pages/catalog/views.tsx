import { Button, Menu, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/client.ts'
import { useRead, useRefresh } from '../../api/read.ts'
import { ColumnMenu } from '../../components/column-menu.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { showMessage } from '../../components/messages.tsx'
import { CheckIcon, ChevronDownIcon } from '../../design/icons.tsx'
import { useAccountParams } from '../../session/account.ts'
import { chosenColumns, COLUMNS, columnsText, useColumnTitle } from './columns.tsx'
import { catalogSearch, type CatalogSearch } from './search.ts'

const VIEWS = 'GET /panel/api/accounts/{account_id}/product-views'

/** Menus for the columns, and for the lists that this person has saved. */
export function ViewMenus({
  search,
  change,
}: {
  search: CatalogSearch
  change: (changes: Partial<CatalogSearch>) => void
}) {
  const { t } = useTranslation('catalog')
  const titleOf = useColumnTitle()
  const params = useAccountParams()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const [isKeeping, setKeeping] = useState(false)
  const views = useRead(VIEWS, { params }).data?.data ?? []
  const address = JSON.stringify(search)
  const current = views.find((view) => view.address === address)
  const chosen = chosenColumns(search.columns)
  const forget = async (viewId: number, name: string) => {
    await call('DELETE /panel/api/accounts/{account_id}/product-views/{view_id}', {
      params: { ...params, view_id: viewId },
    })
    await refresh(VIEWS)
    showMessage(t('views.forgotten', { name }))
  }
  return (
    <>
      <ColumnMenu
        columns={COLUMNS.map((name) => ({ name, title: titleOf(name) }))}
        shown={chosen}
        toggle={(name) =>
          change({
            columns: columnsText(chosen.includes(name) ? chosen.filter((entry) => entry !== name) : [...chosen, name]),
          })
        }
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
            {current?.name ?? t('views.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          {views.map(({ id, name, address: kept }) => (
            <Menu.Item
              key={id}
              leftSection={id === current?.id ? <CheckIcon size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => void navigate({ to: '.', search: searchOf(kept) })}
            >
              {name}
            </Menu.Item>
          ))}
          {views.length === 0 ? <Menu.Label>{t('views.none')}</Menu.Label> : <Menu.Divider />}
          <Menu.Item onClick={() => setKeeping(true)}>{t('views.keep')}</Menu.Item>
          {current === undefined ? null : (
            <Menu.Item onClick={() => void forget(current.id, current.name)}>
              {t('views.forget', { name: current.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isKeeping ? <KeepView address={address} close={() => setKeeping(false)} /> : null}
    </>
  )
}

/** The state in a saved address; if it cannot be parsed, the unfiltered list. */
function searchOf(address: string): CatalogSearch {
  try {
    const kept: unknown = JSON.parse(address)
    return catalogSearch(typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {})
  } catch {
    return {}
  }
}

function KeepView({ address, close }: { address: string; close: () => void }) {
  const { t } = useTranslation('catalog')
  const params = useAccountParams()
  const refresh = useRefresh()
  const form = useForm({
    initial: { name: '' },
    submit: (values) =>
      call('PUT /panel/api/accounts/{account_id}/product-views', { params, body: { ...values, address } }),
    done: (_result, { name }) => {
      void refresh(VIEWS)
      showMessage(t('views.kept', { name }))
      close()
    },
  })
  return (
    <Dialog title={t('views.keepTitle')} close={close}>
      <Form form={form} submit={t('views.keepIt')}>
        <TextInput
          {...form.text('name')}
          label={t('views.name')}
          description={t('views.note')}
          autoComplete="off"
          data-autofocus
        />
      </Form>
    </Dialog>
  )
}
