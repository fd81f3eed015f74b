import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVariants, useVariantsById, type StoreProduct, type Variant } from '../../api/catalog.ts'
import { SidePanel } from '../../components/dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import type { VariantsOf } from '../../pictures/picture-facts.tsx'
import { nameOf } from '../../pictures/picture-state.tsx'
import { ProductPictures } from '../../pictures/product-pictures.tsx'
import type { Picture } from '../../pictures/use-picture-list.ts'
import { useAccount } from '../../session/account.ts'
import { useOwn, type OwnProduct } from './data.ts'
import { useEditing } from './editing.tsx'
import { OwnForm } from './own-form.tsx'
import { optionsOf } from './variants.tsx'

/** The most variants of a picture that are named. */
const NAMED = 4

/** The product's pictures with their descriptions, which are edited beside the page. */
export function Pictures({ grouped }: { grouped: StoreProduct | undefined }) {
  const { productId } = useEditing()
  const [described, setDescribed] = useState<Picture | null>(null)
  return (
    <>
      <ProductPictures productId={productId} describe={setDescribed} variantsOf={usePictureVariants(grouped)} />
      {described === null ? null : <AltsPanel picture={described} close={() => setDescribed(null)} />}
    </>
  )
}

/** @param grouped the product in the first store that shows it in a variant group */
function usePictureVariants(grouped: StoreProduct | undefined): VariantsOf {
  const account = useAccount()
  const {
    variants = [],
    images = [],
    total,
  } = useVariants(account.id, grouped?.group?.id ?? 0, grouped?.store ?? '', grouped?.group !== undefined)
  const firstOf = (image: (typeof images)[number]) => image.product_ids.slice(0, NAMED)
  const known = new Set(variants.map(({ id }) => id))
  // in a large group, variants that are not on its first page
  const others = useVariantsById(
    account.id,
    grouped?.store ?? '',
    images
      .filter(({ url }) => grouped?.images.includes(url) === true)
      .flatMap(firstOf)
      .filter((id) => !known.has(id)),
  )
  const variantOf = new Map([...variants, ...others].map((variant) => [variant.id, variant]))
  return (shown) => {
    const image = images.find(({ url }) => url === shown)
    if (image === undefined || total === undefined || total < 2) return null
    return {
      names: firstOf(image).map((id) => nameOfVariant(variantOf.get(id) ?? { id, sku: null, title: null })),
      count: image.product_ids.length,
      isEvery: image.product_ids.length === total,
    }
  }
}

const nameOfVariant = (variant: Pick<Variant, 'id' | 'sku' | 'title' | 'group'>) =>
  optionsOf(variant) || (variant.sku ?? variant.title ?? `#${variant.id}`)

/** The descriptions of a picture, by language. */
function AltsPanel({ picture, close }: { picture: Picture; close: () => void }) {
  const { t } = useTranslation('pictures')
  const account = useAccount()
  const { productId } = useEditing()
  const own = useOwn(account.id, productId)
  return (
    <SidePanel title={t('alt.of', { name: nameOf(picture.url) })} close={close}>
      <Loaded query={own}>{(read) => <AltsForm picture={picture} read={read} close={close} />}</Loaded>
    </SidePanel>
  )
}

type Texts = Record<string, string>

function AltsForm({
  picture,
  read,
  close,
}: {
  picture: Picture
  read: Parameters<typeof OwnForm<Texts>>[0]['read']
  close: () => void
}) {
  const { t } = useTranslation(['pictures', 'shared'])
  const { url, alts } = picture
  const ownIn = (own: OwnProduct, locale: string) => own.image_alts?.[locale]?.[url] ?? null
  const [locales] = useState(() => [
    ...new Set([
      ...alts.map(({ locale }) => locale),
      ...Object.keys(read.data.image_alts ?? {}).filter((locale) => ownIn(read.data, locale) !== null),
    ]),
  ])
  const patch = (textOf: (locale: string) => string | null, named = locales) => ({
    image_alts: Object.fromEntries(named.map((locale) => [locale, { [url]: textOf(locale) }])),
  })
  const textOf = (typed: string | undefined) => (typed === undefined || typed.trim() === '' ? null : typed)
  return (
    <OwnForm<Texts>
      title={t('alt.title')}
      read={read}
      close={close}
      initial={(own) => Object.fromEntries(locales.map((locale) => [locale, ownIn(own, locale) ?? '']))}
      body={(values) => patch((locale) => textOf(values[locale]))}
      back={(_, own) => patch((locale) => ownIn(own, locale))}
      reset={(own) => (locales.some((locale) => ownIn(own, locale) !== null) ? patch(() => null) : null)}
      said={{ saved: t('alt.saved'), reset: t('alt.wasReset') }}
      verbs={{ save: t('shared:save'), reset: t('alt.reset') }}
      // the name of a fault is `image_alts.pl.https://…`
      fieldOf={(fault) => fault.split('.')[1] ?? fault}
      shown={(values) => locales.map((locale) => [locale, values[locale] ?? ''] as const)}
    >
      {(form) => (
        <>
          <p>{t('alt.note')}</p>
          {locales.map((locale, at) => {
            const shown = alts.find((alt) => alt.locale === locale)?.text ?? null
            return (
              <Textarea
                key={locale}
                {...form.text(locale)}
                label={locale}
                description={shown === null ? t('alt.nothing') : t('alt.shown', { text: shown })}
                lang={locale}
                dir="auto"
                autosize
                minRows={2}
                maxRows={8}
                {...(at === 0 ? { 'data-autofocus': true } : {})}
              />
            )
          })}
        </>
      )}
    </OwnForm>
  )
}
