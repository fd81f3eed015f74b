import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exchange } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { useFormStart, type Revised } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { Conflict } from '../../components/conflict.tsx'
import { Form, useForm } from '../../components/form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useConflict } from '../../components/use-conflict.ts'
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

/** Reads and writes own stock of the product that is edited. */
function useStock() {
  const account = useAccount()
  const { productId } = useEditing()
  const request = { accountId: account.id, params: { id: productId } }
  const read = async (): Promise<Revised<Stock>> => {
    try {
      const { body, revision } = await exchange(`GET ${STOCK}`, request)
      return { data: (body as { data: NonNullable<Stock> }).data, revision: revision ?? '' }
    } catch (error) {
      if (asProblem(error).code !== 'unknown-reference') throw error
      return { data: null, revision: '' }
    }
  }
  /** @param revision of what it replaces; empty where there was none */
  const write = (stock: { quantity: string | number; cost: string | null } | null, revision: string) => {
    const sent = { ...request, ...(revision === '' ? { isNew: true } : { revision }) }
    return stock === null ? exchange(`DELETE ${STOCK}`, sent) : exchange(`PUT ${STOCK}`, { ...sent, body: stock })
  }
  return { read, write }
}

/** Own pieces, which sell first, and what they cost. */
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
  const currency = useSettings(account.id).data?.data.currency ?? ''
  const { base, theirs, guard, choices } = useConflict(first, read)
  const [removeError, setRemoveError] = useState<unknown>(null)
  const save = async (stock: Parameters<typeof write>[0], text: string): Promise<Saved> => {
    const answer = await guard(() => write(stock, base.revision))
    const { data: old } = base
    return {
      text,
      operationId: answer.operationId,
      undo: async () => {
        const undone = await write(old, answer.revision ?? '')
        return { text: t('saved.undone'), operationId: undone.operationId, undo: null }
      },
    }
  }
  const finish = (saved: Saved) => {
    close()
    void done(saved)
  }
  const form = useForm<Values, Saved>({
    initial: valuesOf(base.data),
    submit: ({ quantity, cost }) =>
      save(
        // a cost alone is for a product that no supplier gives one for
        {
          quantity: quantity.trim() === '' && cost.trim() !== '' ? '0' : quantity.trim(),
          cost: cost.trim() === '' ? null : cost.trim().replace(',', '.'),
        },
        t('stock.saved'),
      ),
    done: finish,
  })
  const remove = async () => {
    try {
      finish(await save(null, t('stock.removed')))
    } catch (error) {
      setRemoveError(error)
    }
  }
  return (
    <div className={classes.form}>
      <h3>{t('stock.title')}</h3>
      {theirs === null ? (
        removeError === null ? null : (
          <ProblemNote error={removeError} />
        )
      ) : (
        <Conflict
          differences={[
            { name: t('stock.quantity'), theirs: valuesOf(theirs.data).quantity, mine: form.values.quantity },
            { name: t('product:rows.cost'), theirs: valuesOf(theirs.data).cost, mine: form.values.cost },
          ].filter((row) => row.theirs !== row.mine)}
          {...choices(
            form,
            ({ data }) => valuesOf(data),
            () => setRemoveError(null),
          )}
        />
      )}
      <Form
        form={form}
        submit={t('shared:save')}
        isErrorHidden={theirs !== null}
        beside={
          base.revision === '' ? undefined : (
            <Button variant="default" onClick={() => void remove()}>
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
