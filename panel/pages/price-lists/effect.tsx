import { Link } from '@tanstack/react-router'
import type { Answer } from '../../api/client.ts'
import { useProductNames } from '../../api/product-names.ts'
import { FoundName, useStoreName } from '../../resources/product-name.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useListWords } from './list-words.ts'
import { moveOf } from './move.ts'
import classes from './price-lists.module.css'

/** The service's answer to a write of prices, or to its dry run. */
export type PricesWritten = Answer<'PATCH /v1/account/price-lists/{key}/entries'>['data']
type Example = PricesWritten['preview']['examples'][number]

/** The effect of a write of prices on clients: how many prices rise, fall and jump, and the largest changes. */
export function Effect({ written: { preview } }: { written: PricesWritten }) {
  const words = useResourceWords('price-lists')
  const format = useFormats()
  const { prices, up, down, jumps, examples, compare_at_prices: beside } = preview
  const moves = [
    ...(up === 0 ? [] : [words.of('effect.up', { count: up })]),
    ...(down === 0 ? [] : [words.of('effect.down', { count: down })]),
  ]
  const changes = words.of('effect.prices', { count: prices })
  // prices that are new or removed neither rise nor fall
  const sentence = moves.length === 0 ? `${changes}.` : `${changes}: ${format.list(moves)}.`
  return (
    <>
      <p role="status">
        {prices === 0 ? words.of('effect.none') : sentence}
        {beside === 0 ? null : ` ${words.of('effect.beside', { count: beside })}`}
      </p>
      <p className={classes.quiet}>{words.of('effect.asIf')}</p>
      {jumps === 0 ? null : <p className={classes.jumps}>{words.of('effect.jumps', { count: jumps })}</p>}
      {examples.length === 0 ? null : <Examples examples={examples} />}
    </>
  )
}

function Examples({ examples }: { examples: readonly Example[] }) {
  const words = useResourceWords('price-lists')
  const account = useAccount()
  const format = useFormats()
  const { groupName } = useListWords()
  const storeName = useStoreName()
  const find = useProductNames(
    account.id,
    examples.map((example) => example.product_id),
  )
  const money = (amount: string | null, currency: string) => (amount === null ? '–' : format.money(amount, currency))
  return (
    <table className={classes.moves}>
      <caption>{words.of('effect.examples')}</caption>
      <thead>
        <tr>
          <th scope="col">{words.of('product')}</th>
          <th scope="col">{words.of('effect.store')}</th>
          <th scope="col" className={classes.number}>
            {words.of('effect.before')}
          </th>
          <th scope="col" className={classes.number}>
            {words.of('effect.after')}
          </th>
          <th scope="col" className={classes.number}>
            {words.of('effect.by')}
          </th>
        </tr>
      </thead>
      <tbody>
        {examples.map(({ product_id: id, sku, store, group_id: group, currency, before, after, ...beside }) => {
          const { compare_at_before: was, compare_at_after: now } = beside
          const isBeside = before !== null && before === after
          const move = isBeside ? moveOf(was, now) : moveOf(before, after)
          const place = (
            <>
              <bdi>{storeName(store)}</bdi> · <bdi>{groupName(group)}</bdi>
            </>
          )
          return (
            <tr key={`${id} ${store} ${group}`}>
              <td>
                <Link
                  to="/$account/catalog/$product"
                  params={{ account: String(account.id), product: String(id) }}
                  // a new tab, so that the chosen file is not lost
                  target="_blank"
                  title={sku ?? `#${id}`}
                  dir="auto"
                >
                  <FoundName id={id} found={find(id)} />
                </Link>
                <span className={classes.place}>{place}</span>
              </td>
              <td>{place}</td>
              <td className={classes.number}>
                {money(before, currency)} {isBeside && was !== null ? <s>{money(was, currency)}</s> : null}
              </td>
              <td className={classes.number}>
                {money(after, currency)} {isBeside && now !== null ? <s>{money(now, currency)}</s> : null}
              </td>
              <td className={classes.number}>{move === null ? '–' : format.percent(move)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
