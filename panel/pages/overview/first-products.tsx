import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/read.ts'
import { ProductLine } from '../../resources/product-line.tsx'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './overview.module.css'

const SHOWN = 3

/** The first products of a store with their prices, so that the first result is visible on this page. */
export function FirstProducts({ store }: { store: string }) {
  const { id } = useAccount()
  const format = useFormats()
  const read = useRead('GET /panel/api/accounts/{account_id}/products', {
    params: useAccountParams(),
    query: { per_page: SHOWN, store },
  })
  return (
    <ul className={classes.firstProducts}>
      {read.data?.data.map((product) => (
        <li key={product.id}>
          <Link to="/$account/catalog/$product" params={{ account: String(id), product: String(product.id) }}>
            <ProductLine of={product} id={product.id} />
          </Link>
          <span>
            {product.price === null || product.currency === null ? '–' : format.money(product.price, product.currency)}
          </span>
        </li>
      ))}
    </ul>
  )
}
