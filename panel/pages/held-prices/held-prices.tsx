import { Button, Checkbox } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRefreshAccount } from '../../api/read.ts'
import { call, type Answer } from '../../api/client.ts'
import { useReadPages } from '../../api/read-pages.ts'

import { Confirm, SidePanel } from '../../components/dialog.tsx'
import { useChosen } from '../../components/chosen.ts'
import { Empty } from '../../components/loaded.tsx'
import type { Column } from '../../components/list.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { ReadList } from '../../components/read-list.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { showMessage } from '../../components/messages.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { productColumn } from '../../resources/product-line.tsx'
import { useProductWords, useStoreName } from '../../resources/product-name.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './held-prices.module.css'
import { addWords } from '../../words/add-words.ts'
import heldWords from '../../words/en/held.json'
import '../../words/resources.ts'

addWords({ held: heldWords })

type Held = Answer<'GET /panel/api/accounts/{account_id}/held-prices'>['data'][number]
type Price = Held['prices'][number]

/** The most prices that are confirmed by their products' IDs; more can only be confirmed all together. */
const CONFIRMED_MAX = 1_000

/** Prices that changed more than the account allows: the old one is shown until the new one is confirmed. */
export function HeldPricesPage() {
  const { t } = useTranslation(['held', 'resources'])
  const account = useAccount()
  const navigate = useNavigate()
  const refresh = useRefreshAccount()
  const search = useSearch({ from: '/signed/$account/held-prices' })
  const held = useReadPages('GET /panel/api/accounts/{account_id}/held-prices', { params: useAccountParams() })
  const [asked, setAsked] = useState<readonly number[] | 'all' | null>(null)
  const rows = held.rows ?? []
  const open = (id: number | undefined) =>
    void navigate({ to: '.', search: { open: id }, replace: id === undefined, resetScroll: false })
  const nameOf = useProductWords()
  const titleOf = (row: Held) => nameOf(row, row.product_id)
  const {
    keys: chosen,
    set: setChosen,
    selection,
  } = useChosen<Held, number>(
    (row) => row.product_id,
    (row) => t('choose', { name: titleOf(row) }),
  )
  const storeOf = useStoreName()
  const opened = rows.find((row) => row.product_id === search.open)
  const columns: Column<Held>[] = [
    productColumn(t('product'), titleOf),
    {
      id: 'move',
      title: t('move'),
      width: '34%',
      isWide: true,
      sortBy: (row) => Math.max(...row.prices.map((price) => Math.abs(moveOf(price)))),
      cell: (row) => <FirstMove row={row} />,
    },
    {
      id: 'since',
      title: t('since'),
      width: '15%',
      isWide: true,
      sortBy: (row) => row.prices[0]?.held_at ?? '',
      cell: (row) => <RelativeTime at={row.prices[0]?.held_at ?? null} />,
    },
  ]
  const confirm = async () => {
    const ids = asked === 'all' || asked === null ? null : [...asked]
    const { data } = await call('POST /v1/account/findings/confirm-prices', {
      accountId: account.id,
      body: { product_ids: ids },
    })
    setChosen([])
    open(undefined)
    await refresh()
    showMessage(t(ids === null ? 'confirmedPrices' : 'confirmed', { count: data.confirmed }))
  }
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        rows.length > 0 ? (
          // not a primary button, because it confirms every price
          <Button variant="default" onClick={() => setAsked('all')}>
            {t('confirmAll')}
          </Button>
        ) : undefined
      }
    >
      {rows.length > 1 ? (
        <Toolbar>
          <Checkbox
            label={t('chooseAll', { count: rows.length })}
            checked={chosen.size === rows.length}
            indeterminate={chosen.size > 0 && chosen.size < rows.length}
            onChange={() => setChosen(chosen.size === rows.length ? [] : rows.map((row) => row.product_id))}
          />
          {chosen.size === 0 ? null : (
            <Button size="xs" disabled={chosen.size > CONFIRMED_MAX} onClick={() => setAsked([...chosen])}>
              {t('confirmChosen', { count: chosen.size })}
            </Button>
          )}
        </Toolbar>
      ) : null}
      <ReadList
        query={held.query}
        label={t('title')}
        columns={columns}
        rows={held.rows}
        keyOf={(row) => row.product_id}
        selection={selection}
        open={(row) => open(row.product_id)}
        openKey={search.open ?? null}
        phoneLine={(row) => <FirstMove row={row} />}
        empty={<Empty action={<LinkButton to={`/${account.id}/account`}>{t('guard')}</LinkButton>}>{t('none')}</Empty>}
        more={t('resources:more')}
      />
      {opened === undefined ? null : (
        <SidePanel title={titleOf(opened)} close={() => open(undefined)}>
          <div className={classes.buttons}>
            <Button onClick={() => setAsked([opened.product_id])}>{t('confirmOne')}</Button>
            <LinkButton to={`/${account.id}/catalog/${opened.product_id}`}>{t('explain')}</LinkButton>
          </div>
          <ul className={classes.prices}>
            {opened.prices.map((price) => (
              <li key={`${price.store} ${price.group}`}>
                <strong>
                  <bdi>{price.store === null ? '–' : storeOf(price.store)}</bdi> ·{' '}
                  <span dir="auto">{price.group ?? '–'}</span>
                </strong>
                <Move price={price} />
                <p className={classes.why}>
                  <Why price={price} /> {t('since')} <RelativeTime at={price.held_at} />.
                </p>
              </li>
            ))}
          </ul>
        </SidePanel>
      )}
      {asked === null ? null : (
        <Confirm
          title={asked === 'all' ? t('confirmAll') : t('confirmChosen', { count: asked.length })}
          action={t('confirm')}
          isDangerous={asked === 'all'}
          run={confirm}
          close={() => setAsked(null)}
        >
          <p>{asked === 'all' ? t('confirmAllText', { count: held.total ?? rows.length }) : t('confirmText')}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** The change of a price as a part of the old one. */
const moveOf = ({ shown_price: shown, wanted_price: wanted }: Price) =>
  Number(shown) === 0 ? Infinity : Number(wanted) / Number(shown) - 1

function Move({ price }: { price: Price }) {
  const { t } = useTranslation('held')
  const format = useFormats()
  const move = moveOf(price)
  return (
    <span className={classes.move}>
      {t('fromTo', {
        from: format.money(price.shown_price, price.currency),
        to: format.money(price.wanted_price, price.currency),
      })}
      {Number.isFinite(move) ? ` (${format.percent(move)})` : ''}
    </span>
  )
}

function FirstMove({ row }: { row: Held }) {
  const { t } = useTranslation('held')
  const [first] = row.prices
  if (first === undefined) return null
  return (
    <>
      <Move price={first} />
      {row.prices.length === 1 ? null : ` ${t('more', { count: row.prices.length - 1 })}`}
    </>
  )
}

/** The cause of the change: another rule, or the cost. */
function Why({ price }: { price: Price }) {
  const { t } = useTranslation('held')
  const format = useFormats()
  const { shown_rule: before, wanted_rule: after, cost } = price
  const words = {
    cost: cost === null ? '–' : format.money(cost, price.currency),
    before: before ?? '–',
    after: after ?? '–',
  }
  return <span dir="auto">{before === after ? t('whyCost', words) : t('whyRule', words)}</span>
}
