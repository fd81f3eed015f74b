import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/read.ts'
import { useResources, type Resource } from '../../api/resources.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { StateMark } from '../../components/state-mark.tsx'
import type { Column } from '../../components/list.tsx'
import { codeOf } from '../../resources/code.ts'
import type { ResourceSpec } from '../../resources/field.ts'
import { currency, flag, text, language } from '../../resources/inputs.tsx'
import { MirrorSentence, urgentFirst, type MirrorCheck } from '../../resources/mirror-check.tsx'
import { ResourcePage } from '../../resources/resource-page.tsx'
import { Inactivity, nameColumn, numberColumn, plainColumn, Special, useStateColumn } from '../../resources/columns.tsx'
import { useResourceWords } from '../../resources/words.ts'
import { useAccount, useAccountParams } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import classes from './stores.module.css'

const SPEC: ResourceSpec<'stores'> = {
  name: 'stores',
  key: 'slug',
  required: ['slug', 'name', 'locale', 'currency'],
  fixed: ['slug'],
  fields: {
    name: text(),
    slug: text({ isCode: true, placeholder: 'de' }),
    locale: language(),
    currency: currency(),
    is_active: flag(),
    is_default: flag(),
    lists_by_default: flag(),
    tax_country: text({ isCode: true, placeholder: 'DE', isNullable: true }),
    prices_include_tax: flag(),
  },
  proposed: { slug: ({ name }) => codeOf(String(name)) },
  initial: {
    slug: '',
    name: '',
    locale: '',
    currency: '',
    is_active: true,
    is_default: false,
    lists_by_default: true,
    tax_country: null,
    prices_include_tax: false,
  },
  titleOf: (store) => store.name,
}

/** The account's stores, each with its own language and currency. */
export function StoresPage() {
  const { t } = useTranslation('resources')
  const words = useResourceWords('stores')
  const format = useFormats()
  const overview = useRead('GET /panel/api/accounts/{account_id}/overview', { params: useAccountParams() })
  const products = (slug: string) => overview.data?.data.stores.find((store) => store.slug === slug)?.products
  const shown = (slug: string) => {
    const count = products(slug)
    return count === undefined ? '–' : format.number(count)
  }
  const columns: Column<Resource<'stores'>>[] = [
    nameColumn(
      'name',
      words.label('name'),
      (store) => store.name,
      (store) => (store.is_default ? <Special>{words.label('is_default')}</Special> : null),
    ),
    plainColumn('slug', words.label('slug'), '14%', (store) => store.slug),
    plainColumn(
      'locale',
      words.label('locale'),
      '20%',
      (store) => store.locale,
      (store) => format.language(store.locale),
    ),
    plainColumn('currency', words.label('currency'), '11%', (store) => store.currency),
    numberColumn(
      'products',
      t('products'),
      '12%',
      (store) => products(store.slug) ?? -1,
      (store) => shown(store.slug),
    ),
    useStateColumn(),
  ]
  return (
    <ResourcePage
      spec={SPEC}
      columns={columns}
      phoneLine={(store) => (
        <>
          {format.language(store.locale)} · {store.currency} ·{' '}
          {t('productCount', { count: products(store.slug) ?? 0, shown: shown(store.slug) })}
          <Inactivity isActive={store.is_active} />
        </>
      )}
      above={<WithoutRate />}
      typedToDelete={(store) => store.name}
      takes={(store) => (
        <p>{words.of('takes', { name: store.name, count: products(store.slug) ?? 0, shown: shown(store.slug) })}</p>
      )}
      aside={(store) => (
        <>
          <Mirrors mirrors={overview.data?.data.stores.find(({ slug }) => slug === store.slug)?.mirrors} />
          <Reading slug={store.slug} />
        </>
      )}
    />
  )
}

/** Active stores whose currency has no exchange rate, so that nothing in them has a price. */
function WithoutRate() {
  const words = useResourceWords('stores')
  const { id, currency: own } = useAccount()
  const stores = useResources(id, 'stores').data ?? []
  const uses = useRead('GET /panel/api/accounts/{account_id}/currencies', { params: useAccountParams() })
  const format = useFormats()
  return (uses.data?.data ?? []).map(({ currency, rate, stores: slugs }) => {
    const names = stores.filter(({ slug }) => slugs.includes(slug)).map(({ name }) => name)
    if (rate !== null || names.length === 0) return null
    return (
      <p key={currency} className={classes.withoutRate}>
        <StateMark tone="bad">
          {words.of('withoutRate', { stores: format.list(names), count: names.length, currency, own })}
        </StateMark>
        <LinkButton to={`/${id}/rates`} search={{ new: true, from: currency }}>
          {words.of('setRate')}
        </LinkButton>
      </p>
    )
  })
}

/** The mirrors of this store, and whether they are equal to it; nothing until they are read. */
function Mirrors({ mirrors }: { mirrors: readonly MirrorCheck[] | undefined }) {
  const words = useResourceWords('stores')
  if (mirrors === undefined) return null
  return (
    <section className={classes.reading} aria-label={words.of('mirrors')}>
      <h2>{words.of('mirrors')}</h2>
      <p>{words.of(mirrors.length === 0 ? 'mirrorsNone' : 'mirrorsText')}</p>
      {mirrors.length === 0 ? null : (
        <ul className={classes.mirrors}>
          {urgentFirst(mirrors).map((mirror) => (
            <li key={mirror.name}>
              <StateMark tone={mirror.differing === 0 ? 'good' : 'warn'}>
                <MirrorSentence mirror={mirror} />
              </StateMark>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** How a shop reads this store. */
function Reading({ slug }: { slug: string }) {
  const words = useResourceWords('stores')
  const { id } = useAccount()
  return (
    <section className={classes.reading} aria-label={words.of('reading')}>
      <h2>{words.of('reading')}</h2>
      <p>{words.of('readingText')}</p>
      <CodeBlock
        title={words.of('address')}
        wraps
        code={`${location.origin}/v1/products?store=${encodeURIComponent(slug)}`}
      />
      <CodeBlock
        title="curl"
        wraps
        code={`curl -H "Authorization: Bearer $TOKEN" '${location.origin}/v1/products?store=${encodeURIComponent(slug)}&per_page=3'`}
      />
      <div className={classes.links}>
        <LinkButton to={`/${id}/tokens`}>{words.of('tokens')}</LinkButton>
        <LinkButton to={`/${id}/endpoints`}>{words.of('endpoints')}</LinkButton>
        <LinkButton to={`/${id}/channels`}>{words.of('channels')}</LinkButton>
      </div>
    </section>
  )
}
