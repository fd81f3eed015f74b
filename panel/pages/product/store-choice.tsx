import { NativeSelect } from '@mantine/core'
import type { CatalogStore } from '../../api/catalog.ts'
import classes from './product.module.css'

/** Which store a section is about. */
export function StoreChoice({
  label,
  stores,
  store,
  choose,
}: {
  label: string
  stores: readonly CatalogStore[]
  store: CatalogStore
  choose: (slug: string) => void
}) {
  return (
    <NativeSelect
      className={classes.choice}
      aria-label={label}
      value={store.slug}
      data={stores.map(({ slug, name }) => ({ value: slug, label: name }))}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
