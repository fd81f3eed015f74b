import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshAccount } from '../../api/read.ts'
import { call, exchange, type Answer } from '../../api/client.ts'
import { readOwnStock } from '../../api/own-stock.ts'
import { revised, type Revised } from '../../api/resources.ts'
import { Confirm } from '../../components/dialog.tsx'
import { showMessage } from '../../components/messages.tsx'
import { EditSource } from '../../resources/editor.tsx'
import type { AnyField } from '../../resources/field.ts'
import { decimal, wholeNumber } from '../../resources/inputs.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'

type Stock = Answer<'GET /v1/account/products/{id}/stock'>['data']
/** The quantity is null while there is no own stock. */
type Edited = { quantity: number | null; cost: Stock['cost'] }

const PATH = '/v1/account/products/{id}/stock'
const SPEC = {
  name: 'stock' as const,
  required: ['quantity'],
  fixed: [],
  fields: {
    quantity: wholeNumber<number | null>(),
    cost: decimal<Stock['cost']>(),
  } satisfies { [K in keyof Edited]: AnyField<Edited[K]> },
}

export function StockEditor({ productId, close }: { productId: number; close: () => void }) {
  const { t } = useTranslation('resources')
  const words = useResourceWords('stock')
  const account = useAccount()
  const refresh = useRefreshAccount()
  const [isRemoving, setRemoving] = useState(false)
  const request = { accountId: account.id, params: { id: productId } }
  const read = async (): Promise<Revised<Edited>> => {
    const { data, revision } = await readOwnStock(account.id, productId)
    return { data: data ?? { quantity: null, cost: null }, revision }
  }
  return (
    <>
      <EditSource
        name={['stock', productId]}
        spec={SPEC}
        source={{
          read,
          change: async (body, revision) =>
            revised(
              revision === ''
                ? await exchange(`PUT ${PATH}`, { ...request, body: { quantity: '', ...body }, isNew: true })
                : await exchange(`PATCH ${PATH}`, { ...request, body, revision }),
            ),
        }}
        saved={close}
        remove={() => setRemoving(true)}
      />
      {isRemoving ? (
        <Confirm
          title={words.of('delete')}
          action={words.of('delete')}
          run={async () => {
            await call('DELETE /v1/account/products/{id}/stock', request)
            close()
            await refresh()
            showMessage(t('deleted', { name: words.of('title') }))
          }}
          close={() => setRemoving(false)}
        >
          <p>{words.of('deletes')}</p>
        </Confirm>
      ) : null}
    </>
  )
}
