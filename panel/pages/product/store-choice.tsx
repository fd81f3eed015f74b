import { Button, Checkbox, Menu, NativeSelect } from '@mantine/core'
import type { CatalogStore } from '../../api/catalog.ts'
import classes from './product.module.css'
import { useTranslation } from 'react-i18next'
import { ChevronDownIcon } from '../../design/icons.tsx'

/** Chooses the store of a section. */
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

/** Chooses the stores that are shown side by side. */
export function StoreMenu({
  stores,
  shown,
  most,
  choose,
}: {
  stores: readonly CatalogStore[]
  shown: readonly CatalogStore[]
  most: number
  choose: (slug: string) => void
}) {
  const { t } = useTranslation('product')
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={14} />}>
          {t('choose', { shown: shown.length, count: stores.length })}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {stores.map(({ slug, name }) => {
          const isShown = shown.some((store) => store.slug === slug)
          return (
            <Menu.Item
              key={slug}
              role="menuitemcheckbox"
              aria-checked={isShown}
              disabled={!isShown && shown.length >= most}
              onClick={() => choose(slug)}
              leftSection={<Checkbox.Indicator checked={isShown} aria-hidden="true" />}
            >
              <span dir="auto">{name}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
