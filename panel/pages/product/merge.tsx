import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, exchange } from '../../api/client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { useProductWords } from '../../resources/product-name.tsx'
import { ProductSearch } from '../../resources/product-search.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useEditing } from './editing.tsx'
import classes from './product.module.css'
import { RegroupEffects, type Regroup } from './regroup.tsx'

const PREVIEW = 'POST /panel/api/accounts/{account_id}/products/{product_id}/merge-preview'

/** Finds the product to merge into this one, previews the merge, and performs it. */
export function MergeDialog({
  title,
  close,
  merged,
}: {
  title: string
  close: () => void
  /** Shows the result. */
  merged: () => void
}) {
  const { t } = useTranslation('product-edit')
  const [loser, setLoser] = useState<number | null>(null)
  return (
    <Dialog title={t('merge.title')} close={close} size={640}>
      {loser === null ? (
        <Find title={title} choose={setLoser} />
      ) : (
        <Preview loser={loser} title={title} back={() => setLoser(null)} close={close} merged={merged} />
      )}
    </Dialog>
  )
}

function Find({ title, choose }: { title: string; choose: (id: number) => void }) {
  const { t } = useTranslation('product-edit')
  const { productId } = useEditing()
  return (
    <>
      <p className={classes.quiet} dir="auto">
        {t('merge.find', { title })}
      </p>
      <ProductSearch
        label={t('merge.search')}
        action={t('merge.choose')}
        isLeftOut={(id) => id === productId}
        choose={choose}
      />
    </>
  )
}

function Preview({
  loser,
  title,
  back,
  close,
  merged,
}: {
  loser: number
  title: string
  back: () => void
  close: () => void
  merged: () => void
}) {
  const { t } = useTranslation(['product-edit', 'shared'])
  const account = useAccount()
  const params = useAccountParams()
  const { productId, done } = useEditing()
  const preview = useQuery({
    queryKey: [PREVIEW, params, productId, loser],
    queryFn: ({ signal }) =>
      call(PREVIEW, { params: { ...params, product_id: productId }, body: { product_ids: [loser] }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const merge = useMutation({
    mutationFn: async () => {
      const { operationId } = await exchange('POST /v1/account/products/{id}/merge', {
        accountId: account.id,
        params: { id: productId },
        body: { product_ids: [loser] },
      })
      close()
      await done({ text: t('merge.done', { id: loser }), operationId, undo: null })
      merged()
    },
  })
  return (
    <Loaded query={preview} lines={8}>
      {({ data }) => (
        <>
          <Takes preview={data} title={title} />
          <h3 className={classes.second}>{t('regroup.title')}</h3>
          {/* what is lost with the other product is listed above */}
          <RegroupEffects preview={{ ...data, products: data.products.slice(0, 1) }} />
          <p className={classes.warned}>{t('merge.undo')}</p>
          <ProblemNote error={merge.error} />
          <div className={classes.buttons}>
            <Button variant="default" onClick={back}>
              {t('merge.back')}
            </Button>
            <Button color="red.9" loading={merge.isPending} onClick={() => merge.mutate()}>
              {t('merge.confirm')}
            </Button>
          </div>
        </>
      )}
    </Loaded>
  )
}

/** What moves to the remaining product, and what is lost with the other. */
function Takes({ preview, title }: { preview: Regroup; title: string }) {
  const { t } = useTranslation(['product-edit', 'product'])
  const format = useFormats()
  const nameOf = useProductWords()
  return (
    <>
      {preview.takes.map((taken) => {
        const leaves = preview.products
          .filter((product) => product.product_id === taken.product_id)
          .flatMap(({ stores }) => stores.filter(({ before }) => before !== null).map(({ store }) => store))
        return (
          <div key={taken.product_id}>
            <p dir="auto">
              {t('merge.takes', { id: taken.product_id, loser: nameOf(taken, taken.product_id), title })}
            </p>
            <ul className={classes.lines}>
              <li>
                {taken.offers.length === 0
                  ? t('merge.noOffers')
                  : t('merge.offers', {
                      count: taken.offers.length,
                      offers: format.list(taken.offers.map(({ supplier, sku }) => `${supplier} ${sku}`).slice(0, 12)),
                    })}
              </li>
              {taken.stock === null ? null : (
                <li>
                  {t('merge.stock', {
                    before: format.number(preview.stock.before?.quantity ?? 0),
                    after: format.number(preview.stock.after?.quantity ?? 0),
                  })}
                </li>
              )}
              <li>
                {taken.set.length === 0
                  ? t('merge.nothingLost')
                  : t('merge.lost', {
                      count: taken.set.length,
                      fields: format.list(
                        taken.set
                          .slice(0, 12)
                          .map(({ field, place }) => (place === null ? field : `${field} (${place})`)),
                      ),
                    })}
              </li>
              <li>
                {leaves.length === 0
                  ? t('merge.leavesNone')
                  : t('merge.leaves', {
                      count: leaves.length,
                      stores: format.list(leaves.slice(0, 6)),
                    })}
              </li>
            </ul>
          </div>
        )
      })}
    </>
  )
}
