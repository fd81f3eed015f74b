import { useTranslation } from 'react-i18next'
import { useFormats } from '../words/format.ts'
import classes from './product-name.module.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../session/account.ts'
import { useResources } from '../api/resources.ts'

// The name of a product: its title, marked if it is not in the language of the store that is shown.

/** The members of an answer that name a product. */
export interface Named {
  title: string | null
  title_locale: string | null
  sku: string | null
}

/** A product's name as plain text, for labels and sentences: "Miedziany czajnik (Polish)". */
export function useProductWords(): (product: Named, id: number) => string {
  const { t } = useTranslation()
  const format = useFormats()
  return ({ title, title_locale: locale, sku }, id) => {
    if (title === null) return t('product.untitled', { key: sku ?? `#${id}` })
    return locale === null ? title : t('product.inLanguage', { title, language: format.language(locale) })
  }
}

/** The same as an element with its own direction and language, and a mark for the language. */
export function ProductName({ of, id }: { of: Named; id: number }) {
  const { t } = useTranslation()
  const { title, title_locale: locale, sku } = of
  if (title === null) return <span className={classes.none}>{t('product.untitled', { key: sku ?? `#${id}` })}</span>
  return (
    <>
      <LanguageMark locale={locale} />
      <span dir="auto" lang={locale ?? undefined}>
        {title}
      </span>
    </>
  )
}

/** The name of a product of which a page knows the ID; the ID until the name is read, and for a deleted product. */
export function FoundName({ id, found }: { id: number; found: Named | undefined }) {
  return found === undefined ? `#${id}` : <ProductName of={found} id={id} />
}

/** Names the language of a title that is not in the language of the store that is shown. */
function LanguageMark({ locale }: { locale: string | null | undefined }) {
  const { t } = useTranslation()
  const format = useFormats()
  if (locale === null || locale === undefined) return null
  const words = t('product.otherLanguage', { language: format.language(locale) })
  return (
    <abbr className={classes.language} title={words} aria-label={words}>
      {locale.toUpperCase()}
    </abbr>
  )
}

/** A link to a product's page. */
export function ProductLink({ id, children }: { id: number; children: ReactNode }) {
  const account = useAccount()
  return (
    <Link to="/$account/catalog/$product" params={{ account: String(account.id), product: String(id) }}>
      {children}
    </Link>
  )
}

/** The name of a store by its slug; the slug until the stores are read. */
export function useStoreName(): (slug: string) => string {
  const { id } = useAccount()
  const { data: stores = [] } = useResources(id, 'stores')
  return (slug) => stores.find((store) => store.slug === slug)?.name ?? slug
}
