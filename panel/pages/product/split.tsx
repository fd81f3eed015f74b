import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, exchange } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { newTyped, Unsaved } from '../../components/unsaved.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { offerKey, type Offer } from './data.ts'
import { useEditing } from './editing.tsx'
import classes from './product.module.css'
import { RegroupEffects } from './regroup.tsx'

const PREVIEW = 'POST /panel/api/accounts/{account_id}/products/{product_id}/split-preview'

/** Splits some of the offers into a new product, after a preview. */
export function SplitDialog({ offers, chosen, close }: { offers: readonly Offer[]; chosen: Offer; close: () => void }) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const params = useAccountParams()
  const { productId, done } = useEditing()
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set([offerKey(chosen)]))
  const [typed] = useState(newTyped)
  const leaving = offers
    .filter((offer) => keys.has(offerKey(offer)))
    .map(({ supplier, sku }) => ({ supplier: supplier.code, sku }))
  const isPossible = leaving.length > 0 && leaving.length < offers.length
  const preview = useQuery({
    queryKey: [PREVIEW, params, productId, [...keys].toSorted().join(' ')],
    queryFn: ({ signal }) =>
      call(PREVIEW, { params: { ...params, product_id: productId }, body: { offers: leaving }, signal }),
    enabled: isPossible,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const toggle = (key: string) =>
    setKeys((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const post = (path: string, body: object) =>
    exchange(`POST /v1/account/products/{id}/${path}`, { accountId: account.id, params: { id: productId }, body })
  const split = useMutation({
    mutationFn: async () => {
      const { body, operationId } = await post('split', { offers: leaving })
      const { id: madeId } = (body as { data: { id: number } }).data
      typed.isUnsaved = false
      close()
      await done({
        text: t('split.done', { id: madeId }),
        operationId,
        madeId,
        // own values have stayed on this product, so merging the new product back restores the previous state
        undo: async () => {
          const undone = await post('merge', { product_ids: [madeId] })
          return { text: t('split.undone', { id: madeId }), operationId: undone.operationId, undo: null }
        },
      })
    },
  })
  return (
    <Dialog title={t('split.title')} close={close} size={640}>
      <Unsaved when={keys.size !== 1 || !keys.has(offerKey(chosen))} of={typed} />
      <p className={classes.quiet}>{t('split.note')}</p>
      <fieldset className={classes.boxes}>
        <legend>{t('split.offers')}</legend>
        {offers.map((offer) => (
          <Checkbox
            key={offerKey(offer)}
            label={`${offer.supplier.name} ${offer.sku}`}
            checked={keys.has(offerKey(offer))}
            onChange={() => toggle(offerKey(offer))}
          />
        ))}
      </fieldset>
      {isPossible ? (
        <>
          <h3 className={classes.second}>{t('regroup.title')}</h3>
          <Loaded query={preview} lines={5}>
            {({ data }) => <RegroupEffects preview={data} />}
          </Loaded>
        </>
      ) : (
        <p className={classes.warned}>{t('split.impossible')}</p>
      )}
      <p className={classes.quiet}>{t('split.undo')}</p>
      <ProblemNote error={split.error} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {t('split.cancel')}
        </Button>
        <Button loading={split.isPending} disabled={!isPossible || !preview.isSuccess} onClick={() => split.mutate()}>
          {t('split.confirm')}
        </Button>
      </div>
    </Dialog>
  )
}
