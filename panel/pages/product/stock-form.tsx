import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { exchange } from '../../api/client.ts'
import { readOwnStock } from '../../api/own-stock.ts'
import { useFormStart, type Revised } from '../../api/resources.ts'
import { useOwnCurrency } from '../../api/settings.ts'
import { Form, useRevisedForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { useAccount } from '../../session/account.ts'
import { STOCK } from './data.ts'
import { useEditing, type Saved } from './editing.tsx'
import classes from './editing.module.css'

/** Own stock; null: the product has none. */
type Stock = { quantity: number; cost: string | null } | null
type Values = { quantity: string; cost: string }

const valuesOf = (stock: Stock): Values => ({
  quantity: stock === null ? '' : String(stock.quantity),
  cost: stock?.cost ?? '',
})

/** Reads and writes own stock of the edited product. */
function useStock() {
  const account = useAccount()
  const { productId } = useEditing()
  const request = { accountId: account.id, params: { id: productId } }
  const read = (): Promise<Revised<Stock>> => readOwnStock(account.id, productId)
  /** @param revision of the stock that it replaces; empty if there was none */
  const write = (stock: { quantity: string | number; cost: string | null } | null, revision: string) => {
    const sent = { ...request, ...(revision === '' ? { isNew: true } : { revision }) }
    return stock === null ? exchange(`DELETE ${STOCK}`, sent) : exchange(`PUT ${STOCK}`, { ...sent, body: stock })
  }
  return { read, write }
}

/** Own stock, which is sold first, and its cost. */
export function StockForm({ close }: { close: () => void }) {
  const account = useAccount()
  const { productId } = useEditing()
  const { read } = useStock()
  const stock = useFormStart(account.id, ['stock', productId], read)
  return <Loaded query={stock}>{(found) => <Editor read={found} close={close} />}</Loaded>
}

function Editor({ read: first, close }: { read: Revised<Stock>; close: () => void }) {
  const { t } = useTranslation(['product-edit', 'product', 'shared'])
  const account = useAccount()
  const { done } = useEditing()
  const { read, write } = useStock()
  const currency = useOwnCurrency(account.id)
  const save = async (stock: Parameters<typeof write>[0], text: string, { data: old, revision }: Revised<Stock>) => {
    const answer = await write(stock, revision)
    return {
      text,
      operationId: answer.operationId,
      undo: async () => {
        const undone = await write(old, answer.revision ?? '')
        return { text: t('saved.undone'), operationId: undone.operationId, undo: null }
      },
    }
  }
  const form = useRevisedForm<Revised<Stock>, Values, Saved>({
    first,
    read,
    valuesOf: ({ data }) => valuesOf(data),
    save: ({ quantity, cost }, base) =>
      save(
        // a cost without a quantity is for a product for which no supplier states a cost
        {
          quantity: quantity.trim() === '' && cost.trim() !== '' ? '0' : quantity.trim(),
          cost: cost.trim() === '' ? null : cost.trim().replace(',', '.'),
        },
        t('stock.saved'),
        base,
      ),
    shown: ({ quantity, cost }) => [
      [t('stock.quantity'), quantity],
      [t('product:rows.cost'), cost],
    ],
    done(saved) {
      close()
      void done(saved)
    },
  })
  return (
    <div className={classes.form}>
      <h3>{t('stock.title')}</h3>
      <Form
        form={form}
        submit={t('shared:save')}
        beside={
          form.base.revision === '' ? undefined : (
            <Button variant="default" onClick={() => form.also((base) => save(null, t('stock.removed'), base))}>
              {t('stock.remove')}
            </Button>
          )
        }
      >
        <TextInput
          {...form.text('quantity')}
          label={t('stock.quantity')}
          description={t('stock.note')}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          data-autofocus
        />
        <TextInput
          {...form.text('cost')}
          label={t('stock.cost', { currency })}
          description={t('stock.costNote')}
          inputMode="decimal"
          autoComplete="off"
          dir="ltr"
        />
      </Form>
    </div>
  )
}
