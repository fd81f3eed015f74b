import { useRead } from '../../api/read.ts'
import type { Column } from '../../components/list.tsx'
import { nameColumn, numberColumn, plainColumn } from '../../resources/columns.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { ListMark } from './list-mark.tsx'
import { useListWords, type PriceList } from './list-words.ts'
import { usePriceListSpec } from './spec.ts'

/** The account's own price lists. Each has a page of its own, with its prices. */
export function PriceListsPage() {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const format = useFormats()
  const said = useListWords()
  const { spec, isReady } = usePriceListSpec(null)
  const uses = useRead('GET /panel/api/accounts/{account_id}/price-list-uses', { params: useAccountParams() })
  const entries = (list: PriceList) => uses.data?.data.find((row) => row.key === list.key)?.entries ?? 0
  const columns: Column<PriceList>[] = [
    nameColumn('name', words.label('name'), (list) => list.name),
    plainColumn('currency', words.label('currency'), '8%', (list) => list.currency),
    plainColumn('stores', words.label('store_ids'), '16%', said.stores),
    plainColumn('group', words.label('group_id'), '12%', said.group),
    plainColumn('days', words.of('valid'), '20%', (list) => list.valid_to ?? '9999', said.days),
    numberColumn('priority', words.label('priority'), '8%', (list) => list.priority),
    numberColumn('entries', words.of('entries'), '8%', entries, (list) => format.number(entries(list))),
    {
      id: 'state',
      title: words.of('state'),
      width: '13%',
      isWide: true,
      sortBy: (list) => said.state(list).order,
      cell: (list) => <ListMark list={list} />,
    },
  ]
  return (
    <ResourcePage
      spec={spec}
      isReady={isReady}
      columns={columns}
      leadsTo={(list) => `/${account.id}/price-lists/${list.key}`}
      phoneLine={(list) => (
        <>
          {list.currency} · {words.of('count', { count: entries(list) })} · <ListMark list={list} />
        </>
      )}
    />
  )
}
