import { Button, Checkbox, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore } from '../../api/catalog.ts'
import { useResource } from '../../api/resources.ts'
import { useSettings } from '../../api/settings.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { Unsaved } from '../../components/unsaved.ts'
import { useAccount } from '../../session/account.ts'
import type { ProductExplanation } from './data.ts'
import { useEditing } from './editing.tsx'
import editing from './editing.module.css'
import editingClasses from './editing.module.css'
import classes from './product.module.css'

/** The most characters of the title in the rule's name. */
const TITLE_SHOWN = 80
const beginningOf = (title: string) =>
  Array.from(new Intl.Segmenter().segment(title), ({ segment }) => segment)
    .slice(0, TITLE_SHOWN)
    .join('')

/**
 * Sets a fixed price: opens a new pricing rule for this product, with its preview, so that the price is explained like any other. If such a
 * rule makes the price already, that rule is opened.
 */
export function FixedPrice({
  price,
  isOnly,
  store,
  title,
}: {
  price: ProductExplanation['prices'][number]
  /** The account has only one customer group. */
  isOnly: boolean
  store: CatalogStore
  title: string
}) {
  const { t } = useTranslation('product-edit')
  const account = useAccount()
  const { productId } = useEditing()
  const navigate = useNavigate()
  const field = useId()
  const accountCurrency = useSettings(account.id).data?.data.currency
  const applied = useResource(account.id, 'pricing-rules', price.applied_rule_id).data?.data
  const [amount, setAmount] = useState('')
  const [isEveryStore, setEveryStore] = useState(false)
  const [isEveryGroup, setEveryGroup] = useState(false)
  const isOfThisAlone = applied?.product_ids?.length === 1 && applied.action === 'fixed'
  // the rule also applies to other stores or groups, so a narrower one can be added
  const isWider = (applied?.store_ids ?? null)?.length !== 1 || (!isOnly && (applied?.group_ids ?? null)?.length !== 1)
  const currency = isEveryStore ? accountCurrency : price.currency
  const open = () =>
    void navigate({
      // without asking, because the typed price is passed on
      ignoreBlocker: true,
      to: '/$account/pricing',
      params: { account: String(account.id) },
      search: {
        new: true,
        product: productId,
        name: t('fixed.name', { title: beginningOf(title) }),
        ...(amount.trim() === '' ? {} : { price: amount.trim() }),
        ...(isEveryStore ? {} : { store_id: store.id }),
        ...(isEveryStore || price.currency === accountCurrency ? {} : { currency: price.currency }),
        // so that the fixed price is shown even if a price list has another price
        ...(price.price_list === null ? {} : { over_price_lists: true }),
        ...(isEveryGroup || isOnly ? {} : { group_id: price.group_id }),
      },
    })
  return (
    <section className={editing.form} aria-labelledby={field}>
      <h3 id={field}>{t('fixed.title')}</h3>
      {isOfThisAlone ? (
        <>
          <p className={classes.quiet}>{t('fixed.isSet')}</p>
          <LinkButton to={`/${account.id}/pricing`} search={{ open: applied.id }}>
            {t('fixed.change')}
          </LinkButton>
        </>
      ) : null}
      {isOfThisAlone && !isWider ? null : (
        <form
          className={classes.fixed}
          onSubmit={(event) => {
            event.preventDefault()
            open()
          }}
        >
          <Unsaved when={amount.trim() !== '' || isEveryStore || isEveryGroup} />
          <p className={classes.quiet}>{t('fixed.note')}</p>
          <TextInput
            label={t('fixed.price', { currency })}
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
            inputMode="decimal"
            autoComplete="off"
            dir="ltr"
          />
          <Checkbox
            label={t('fixed.everyStore')}
            description={
              isEveryStore ? t('fixed.everyStoreNote', { currency }) : t('fixed.storeOnly', { store: store.name })
            }
            checked={isEveryStore}
            onChange={(event) => setEveryStore(event.currentTarget.checked)}
          />
          {isOnly ? null : (
            <Checkbox
              label={t('fixed.everyGroup')}
              description={isEveryGroup ? undefined : t('fixed.groupOnly', { group: price.group })}
              checked={isEveryGroup}
              onChange={(event) => setEveryGroup(event.currentTarget.checked)}
            />
          )}
          <div>
            <Button type="submit">{t('fixed.open')}</Button>
          </div>
        </form>
      )}
    </section>
  )
}

/** A link to the form of own stock, where an own cost is set. */
export function OwnCost({ note, open }: { note: string; open: (value: string) => void }) {
  const { t } = useTranslation('product-edit')
  return (
    <section className={editingClasses.form}>
      <p>{note}</p>
      <Button mt="sm" variant="default" onClick={() => open('stock')}>
        {t('fixed.ownCost')}
      </Button>
    </section>
  )
}
