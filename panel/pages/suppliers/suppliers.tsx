import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import type { Resource } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import type { Column } from '../../components/list.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { Inactivity, nameColumn, numberColumn, plainColumn, useStateColumn } from '../../resources/columns.tsx'
import { SUPPLIER_SPEC } from '../../resources/supplier-spec.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

/** The account's suppliers. Each has a page of its own. */
export function SuppliersPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const format = useFormats()
  const uses = useRead('GET /panel/api/accounts/{account_id}/supplier-uses', { params: useAccountParams() })
  const offers = (id: number) => uses.data?.data.find((row) => row.supplier_id === id)?.offers ?? 0
  const settings = useSettings(account.id)
  const currency = settings.data?.data.currency ?? ''
  const columns: Column<Resource<'suppliers'>>[] = [
    nameColumn('name', words.label('name'), (supplier) => supplier.name),
    plainColumn('code', words.label('code'), '18%', (supplier) => supplier.code),
    plainColumn('currency', words.label('currency'), '11%', (supplier) => supplier.currency),
    numberColumn(
      'offers',
      words.of('offers'),
      '12%',
      (supplier) => offers(supplier.id),
      (supplier) => format.number(offers(supplier.id)),
    ),
    numberColumn('priority', words.label('priority'), '11%', (supplier) => supplier.priority),
    useStateColumn(),
  ]
  return (
    <ResourcePage
      spec={{ ...SUPPLIER_SPEC, initial: { ...SUPPLIER_SPEC.initial, currency } }}
      isReady={!settings.isPending}
      columns={columns}
      leadsTo={(supplier) => `/${account.id}/suppliers/${supplier.code}`}
      phoneLine={(supplier) => (
        <>
          {supplier.currency} · {t('offerCount', { count: offers(supplier.id) })}
          <Inactivity isActive={supplier.is_active} />
        </>
      )}
    />
  )
}
