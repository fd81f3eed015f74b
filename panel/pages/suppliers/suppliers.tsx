import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import type { Resource } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import type { Column } from '../../components/list.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { Inactivity, nameColumn, numberColumn, plainColumn, useStateColumn } from '../../resources/columns.tsx'
import { SUPPLIER_SPEC } from '../../resources/supplier-spec.ts'
import { useResourceWords } from '../../resources/words.ts'
import { toneOf } from '../../runs/run-words.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'

type SupplierUse = Answer<'GET /panel/api/accounts/{account_id}/supplier-uses'>['data'][number]

/** The account's suppliers. Each has a page of its own. */
export function SuppliersPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('suppliers')
  const account = useAccount()
  const format = useFormats()
  const uses = useRead('GET /panel/api/accounts/{account_id}/supplier-uses', { params: useAccountParams() })
  const ofSupplier = (id: number) => uses.data?.data.find((row) => row.supplier_id === id)
  const offers = (id: number) => ofSupplier(id)?.offers ?? 0
  const lastRun = (id: number) => ofSupplier(id)?.last_run ?? null
  const settings = useSettings(account.id)
  const currency = settings.data?.data.currency ?? ''
  const columns: Column<Resource<'suppliers'>>[] = [
    nameColumn('name', words.label('name'), (supplier) => supplier.name),
    plainColumn('code', words.label('code'), '14%', (supplier) => supplier.code),
    plainColumn('currency', words.label('currency'), '11%', (supplier) => supplier.currency),
    numberColumn(
      'offers',
      words.of('offers'),
      '12%',
      (supplier) => offers(supplier.id),
      (supplier) => format.number(offers(supplier.id)),
    ),
    numberColumn('priority', words.label('priority'), '11%', (supplier) => supplier.priority),
    {
      id: 'last',
      title: words.of('lastImport'),
      width: '29%',
      isWide: true,
      sortBy: ({ id }) => lastRun(id)?.created_at ?? '',
      cell: ({ id }) => <LastRun run={lastRun(id)} />,
    },
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
          {lastRun(supplier.id) === null ? null : (
            <>
              {' · '}
              <LastRun run={lastRun(supplier.id)} />
            </>
          )}
          <Inactivity isActive={supplier.is_active} />
        </>
      )}
    />
  )
}

/** The state of a supplier's newest run, and when it was started. */
function LastRun({ run }: { run: SupplierUse['last_run'] }) {
  const { t } = useTranslation('runs')
  const format = useFormats()
  const now = useNow()
  if (run === null) return '–'
  return (
    <StateMark tone={toneOf(run)}>
      {t(`states.${run.state}`)} · {format.relative(new Date(run.created_at), now)}
    </StateMark>
  )
}
