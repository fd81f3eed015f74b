import { Button } from '@mantine/core'
import { Fragment, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CatalogStore, StoreProduct } from '../../api/catalog.ts'
import { useIsPhone } from '../../components/phone.ts'
import { Section } from '../../components/page.tsx'
import { ChevronDownIcon } from '../../design/icons.tsx'
import type { ProductExplanation } from './data.ts'
import { PRICE } from './marks.ts'
import { usePriceColumns, type PriceColumn } from './price-columns.tsx'
import { priceLines, type PriceLine } from './price-lines.ts'
import classes from './price-table.module.css'
import { Arithmetic } from './price-words.tsx'

/** The price of each customer group in each store: one line each, which unfolds to show how the price is made. */
export function PriceTable({
  stores,
  products,
  whys,
  open,
}: {
  stores: readonly CatalogStore[]
  products: readonly (StoreProduct | null)[]
  whys: readonly (ProductExplanation | undefined)[]
  /** Opens a value of a store beside the page. */
  open: (value: string, store: string) => void
}) {
  const { t } = useTranslation('product')
  const isPhone = useIsPhone()
  const lines = priceLines(stores, products, whys)
  const columns = usePriceColumns().filter(({ isShown }) => isShown === undefined || lines.some(isShown))
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  if (lines.length === 0) return null
  const toggle = (key: string) =>
    setOpened((before) =>
      before.has(key) ? new Set([...before].filter((other) => other !== key)) : new Set([...before, key]),
    )
  const shown = lines.map((line) => ({
    line,
    isOpen: opened.has(line.key),
    toggle: () => toggle(line.key),
    change: () => open(`${PRICE}${line.group}`, line.store.slug),
  }))
  return (
    <Section title={t('priceTable.title')} note={t('priceTable.note')} isFlush>
      {isPhone ? (
        <ul className={classes.cards}>
          {shown.map((props) => (
            <Card key={props.line.key} columns={columns} {...props} />
          ))}
        </ul>
      ) : (
        // a region that scrolls must be reachable by keyboard
        <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('priceTable.title')}>
          <table className={classes.prices}>
            <thead>
              <tr>
                <th scope="col">{t('priceTable.where')}</th>
                {columns.map(({ id, title }) => (
                  <th key={id} scope="col">
                    {title}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {shown.map((props) => (
                <Row key={props.line.key} columns={columns} {...props} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  )
}

interface LineProps {
  line: PriceLine
  columns: readonly PriceColumn[]
  isOpen: boolean
  toggle: () => void
  /** Opens the price's panel, where a fixed price can be set. */
  change: () => void
}

function Row({ line, columns, isOpen, toggle, change }: LineProps) {
  const id = useId()
  return (
    <Fragment>
      <tr className={isOpen ? classes.opened : undefined}>
        <th scope="row">
          <Place line={line} />
        </th>
        {columns.map((column) => (
          <td key={column.id}>{column.cell(line)}</td>
        ))}
        <td className={classes.action}>
          <Toggle line={line} isOpen={isOpen} toggle={toggle} controls={id} />
        </td>
      </tr>
      {isOpen ? (
        <tr id={id}>
          <td colSpan={columns.length + 2} className={classes.details}>
            <Details line={line} change={change} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  )
}

/** A line on a phone, with its values one below the other. */
function Card({ line, columns, isOpen, toggle, change }: LineProps) {
  const id = useId()
  const given = columns.flatMap(({ id: column, title, cell, isShown }): [string, string, ReactNode][] =>
    isShown === undefined || isShown(line) ? [[column, title, cell(line)]] : [],
  )
  return (
    <li>
      <h3>
        <Place line={line} />
      </h3>
      <dl>
        {given.map(([column, title, content]) => (
          <div key={column}>
            <dt>{title}</dt>
            <dd>{content}</dd>
          </div>
        ))}
      </dl>
      <Toggle line={line} isOpen={isOpen} toggle={toggle} controls={id} />
      {isOpen ? (
        <div id={id} className={classes.details}>
          <Details line={line} change={change} />
        </div>
      ) : null}
    </li>
  )
}

function Place({ line: { store, group } }: { line: PriceLine }) {
  return (
    <>
      <span dir="auto">{store.name}</span>
      <small dir="auto">{group}</small>
    </>
  )
}

function Toggle({
  line: { store, group, why },
  isOpen,
  toggle,
  controls,
}: Pick<LineProps, 'line' | 'isOpen' | 'toggle'> & { controls: string }) {
  const { t } = useTranslation('product')
  if (why === undefined) return null
  return (
    <button
      type="button"
      className={classes.toggle}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
      aria-label={t('priceTable.detailsOf', { group, store: store.name })}
      onClick={toggle}
    >
      {t('priceTable.details')} <ChevronDownIcon size={14} />
    </button>
  )
}

/** How the price is made, and a button to set a fixed price. */
function Details({ line: { why, made }, change }: { line: PriceLine; change: () => void }) {
  const { t } = useTranslation('product')
  if (why === undefined) return null
  return (
    <>
      {made === undefined ? (
        <p>{t(why.base_cost === null ? 'why.noCost' : 'why.noRule')}</p>
      ) : (
        <Arithmetic
          price={made}
          isOnly={why.prices.length === 1}
          hasCost={why.base_cost !== null}
          isWithoutTaxRate={why.tax?.is_priceless === true}
        />
      )}
      <Button variant="default" size="xs" onClick={change} className={classes.change}>
        {t('priceTable.change')}
      </Button>
    </>
  )
}
