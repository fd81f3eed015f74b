import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Answer } from '../../api/client.ts'
import { useRead } from '../../api/read.ts'
import { useOwnCurrency } from '../../api/settings.ts'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page } from '../../components/page.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { numberColumn, plainColumn } from '../../resources/columns.tsx'
import type { ResourceSpec } from '../../resources/field.ts'
import { currency, decimal } from '../../resources/inputs.tsx'
import { ResourceWindows, useResourceAddress } from '../../resources/resource-page.tsx'
import { useStoreName } from '../../resources/product-name.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { BankRates, dayOf, HeldRates } from './bank-rates.tsx'

type Use = Answer<'GET /panel/api/accounts/{account_id}/currencies'>['data'][number]

/** Exchange rates, and the currencies that lack one. */
export function RatesPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('rates')
  const account = useAccount()
  const format = useFormats()
  const address = useResourceAddress()
  const own = useOwnCurrency(account.id)
  const uses = useRead('GET /panel/api/accounts/{account_id}/currencies', { params: useAccountParams() })
  const spec: ResourceSpec<'rates'> = {
    name: 'rates',
    key: 'currency',
    required: ['currency', 'rate'],
    fixed: ['currency'],
    fields: { currency: currency(), rate: decimal() },
    initial: { currency: address.search.from ?? '', rate: '' },
    titleOf: (rate) => rate.currency,
  }
  const storeOf = useStoreName()
  const isMissing = (use: Use) => use.rate === null
  const lacks = (use: Use) =>
    [
      ...(use.offers === 0 ? [] : [t('offerCount', { count: use.offers })]),
      ...(use.stores.length === 0 ? [] : [format.list(use.stores.map(storeOf))]),
    ].join(' · ')
  const columns: Column<Use>[] = [
    {
      id: 'currency',
      title: words.label('currency'),
      width: '14%',
      sortBy: (use) => use.currency,
      cell: (use) => use.currency,
    },
    {
      id: 'rate',
      title: words.of('oneUnit', { currency: own }),
      sortBy: (use) => Number(use.rate ?? -1),
      cell: (use) =>
        use.rate === null ? (
          <StateMark tone="bad">{words.of('missing')}</StateMark>
        ) : (
          `${format.decimal(use.rate)} ${use.currency}`
        ),
    },
    {
      id: 'set',
      title: words.of('age'),
      width: '18%',
      isWide: true,
      sortBy: (use) => use.set_at ?? '',
      cell(use) {
        if (use.rate === null) return '–'
        if (use.bank_day !== null) return words.of('ofBank', { day: dayOf(format, use.bank_day) })
        return <RelativeTime at={use.set_at} empty={words.of('ageUnknown')} />
      },
    },
    numberColumn(
      'offers',
      words.of('offers'),
      '13%',
      (use) => use.offers,
      (use) => format.number(use.offers),
    ),
    plainColumn('stores', words.of('stores'), '18%', (use) => use.stores.map(storeOf).join(', ')),
  ]
  const shown = uses.data && [...uses.data.data.filter(isMissing), ...uses.data.data.filter((use) => !isMissing(use))]
  const held = (uses.data?.data ?? []).flatMap((use) =>
    use.held_rate === null ? [] : [{ ...use, held_rate: use.held_rate }],
  )
  const create = <Button onClick={() => address.create()}>{words.of('create')}</Button>
  return (
    <Page
      title={words.of('title')}
      lead={words.of('lead', { currency: own })}
      actions={uses.data?.data.length === 0 ? undefined : create}
    >
      <HeldRates own={own} held={held} />
      <ReadList
        query={uses}
        label={words.of('title')}
        columns={columns}
        rows={shown}
        keyOf={(use) => use.currency}
        open={(use) => (isMissing(use) ? address.create(use.currency) : address.open(use.currency))}
        phoneLine={lacks}
        empty={
          <Empty action={create} headings={columns.slice(0, 4).map(({ title }) => title)}>
            {words.of('none')}
          </Empty>
        }
      />
      {shown === undefined || shown.length === 0 ? null : <BankRates />}
      <ResourceWindows
        spec={spec}
        typedToDelete={(rate) => rate.currency}
        takes={(rate) => {
          const use = uses.data?.data.find((row) => row.currency === rate.currency)
          return use === undefined || lacks(use) === '' ? null : <p>{words.of('takes', { what: lacks(use) })}</p>
        }}
      />
    </Page>
  )
}
