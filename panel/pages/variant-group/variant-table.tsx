import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { NamedProduct } from '../../api/product-names.ts'
import { useResources } from '../../api/resources.ts'
import type { GroupedProduct } from '../../api/variant-groups.ts'
import { useReorder } from '../../components/reorder.ts'
import { StateMark } from '../../components/state-mark.tsx'
import { GripIcon } from '../../design/icons.tsx'
import { ProductThumbnail } from '../../resources/product-line.tsx'
import { ProductLink } from '../../resources/product-name.tsx'
import { useAccount } from '../../session/account.ts'
import { useFormats } from '../../words/format.ts'
import { useReasonWords } from '../../words/reasons.ts'
import type { Draft, faultsOf } from './draft.ts'
import classes from './variant-group.module.css'

/** The products of the group in their order: options, price, stock and state of each. */
export function VariantTable({
  draft,
  options,
  shown,
  known,
  named,
  words,
  change,
}: {
  draft: Draft
  options: Draft['options']
  shown: ReadonlyMap<number, GroupedProduct>
  /** Products that are already in the stored group. */
  known: ReadonlySet<number>
  named: (id: number) => NamedProduct | undefined
  words: (id: number) => string
  change: (changes: Partial<Draft>) => void
}) {
  const { t } = useTranslation('variant-group')
  const account = useAccount()
  const format = useFormats()
  const { data: groups = [] } = useResources(account.id, 'groups')
  const priced = groups.find((group) => group.is_default)?.id
  const { products } = draft
  const count = products.length
  const of = new Map(products.map((product) => [product.id, product]))
  const order = (ids: readonly number[]) => change({ products: ids.flatMap((id) => of.get(id) ?? []) })
  const { list, said, marksOf, placeOf, handleOf } = useReorder<number, HTMLTableSectionElement>({
    keys: products.map(({ id }) => id),
    reorder: order,
    say: (id, _, to) => t('moved', { name: words(id), place: to + 1, count }),
  })
  const labelOf = (key: string) =>
    [...shown.values()].flatMap(({ group }) => group?.options ?? []).find((option) => option.key === key)?.label ?? key
  return (
    // a region that scrolls must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('variants.title')}>
      <table className={classes.table}>
        <Headings options={options.map(({ key }) => labelOf(key))} />
        <tbody ref={list}>
          {products.map((product, at) => {
            const found = shown.get(product.id)
            const price = found?.prices.find((entry) => entry.customer_group_id === priced)
            const { isDragged, isBefore, isBehind } = marksOf(at)
            return (
              <tr
                key={product.id}
                {...placeOf(at)}
                className={`${isDragged ? classes.dragged : ''} ${isBefore ? classes.over : ''} ${isBehind ? classes.overEnd : ''}`}
              >
                <td>
                  <button
                    type="button"
                    className={classes.handle}
                    aria-label={t('handle', { name: words(product.id), place: at + 1, count })}
                    title={t('handleHint')}
                    {...handleOf(at)}
                  >
                    <GripIcon />
                  </button>
                </td>
                <td className={classes.name}>
                  <span className={classes.product}>
                    <ProductThumbnail picture={named(product.id)?.picture ?? null} />
                    <span>
                      <ProductLink id={product.id}>
                        <span dir="auto">{words(product.id)}</span>
                      </ProductLink>
                      <small>
                        {named(product.id)?.sku ?? ''} {at === 0 ? <strong>{t('leads')}</strong> : null}
                      </small>
                    </span>
                  </span>
                </td>
                {options.map(({ key }, i) => (
                  <td key={i} className={classes.value}>
                    <OptionValue
                      label={labelOf(key)}
                      name={words(product.id)}
                      value={Object.hasOwn(product.options, key) ? product.options[key] : undefined}
                      stated={found?.group?.options.find((option) => option.key === key)?.value}
                      // the first own value turns the options that suppliers state into options of the group
                      set={(value) =>
                        change({
                          options,
                          products: products.map((one) =>
                            one.id === product.id ? { ...one, options: { ...one.options, [key]: value } } : one,
                          ),
                        })
                      }
                    />
                  </td>
                ))}
                <td className={`${classes.number} ${classes.price}`}>
                  {price === undefined ? '–' : format.money(price.computed_price, price.currency)}
                </td>
                <td className={`${classes.number} ${classes.stock}`}>
                  <span className={classes.label} aria-hidden="true">
                    {t('columns.stock')}
                  </span>
                  {found === undefined ? '–' : format.number(found.stock)}
                </td>
                <td className={classes.state}>
                  <VariantState isKnown={known.has(product.id)} shown={found} />
                </td>
                <td className={classes.acts}>
                  {at === 0 ? null : (
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={t('leadWith', { name: words(product.id) })}
                      onClick={() =>
                        order([product.id, ...products.map(({ id }) => id).filter((id) => id !== product.id)])
                      }
                    >
                      {t('lead')}
                    </Button>
                  )}
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('removeOf', { name: words(product.id) })}
                    onClick={() => change({ products: products.filter(({ id }) => id !== product.id) })}
                  >
                    {t('remove')}
                  </Button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div role="status" className={classes.hidden}>
        {said}
      </div>
    </div>
  )
}

/** @param options their labels */
function Headings({ options }: { options: readonly string[] }) {
  const { t } = useTranslation('variant-group')
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className={classes.hidden}>{t('columns.place')}</span>
        </th>
        <th scope="col">{t('columns.product')}</th>
        {options.map((label, at) => (
          <th scope="col" key={at} dir="auto">
            {label}
          </th>
        ))}
        <th scope="col" className={classes.number}>
          {t('columns.price')}
        </th>
        <th scope="col" className={classes.number}>
          {t('columns.stock')}
        </th>
        <th scope="col">{t('columns.state')}</th>
        <th scope="col">
          <span className={classes.hidden}>{t('columns.acts')}</span>
        </th>
      </tr>
    </thead>
  )
}

/** A product's value of an option; empty: the suppliers' value. */
function OptionValue({
  label,
  name,
  value = '',
  stated = '',
  set,
}: {
  label: string
  name: string
  value: string | undefined
  stated: string | undefined
  set: (value: string) => void
}) {
  const { t } = useTranslation('variant-group')
  return (
    <>
      {/* on a phone there are no column headings, but fields have their own labels */}
      <span className={classes.label} dir="auto" aria-hidden="true">
        {label}
      </span>
      <TextInput
        size="xs"
        aria-label={t('valueOf', { option: label, name })}
        value={value}
        placeholder={stated}
        onChange={(event) => set(event.currentTarget.value)}
        dir="auto"
        autoComplete="off"
      />
    </>
  )
}

function VariantState({ isKnown, shown }: { isKnown: boolean; shown: GroupedProduct | undefined }) {
  const { t } = useTranslation('variant-group')
  const reasonWords = useReasonWords()
  if (!isKnown) return <StateMark tone="busy">{t('state.added')}</StateMark>
  if (shown === undefined) return <StateMark tone="off">{t('state.unlisted')}</StateMark>
  if (shown.excluded) return <StateMark tone="warn">{reasonWords(shown.exclusion_reason ?? '')}</StateMark>
  return <StateMark tone="good">{t('state.listed')}</StateMark>
}

/** Faults in the input that customers would notice. */
export function VariantFaults({
  faults: { alike, lacking },
  words,
}: {
  faults: ReturnType<typeof faultsOf>
  words: (id: number) => string
}) {
  const { t } = useTranslation('variant-group')
  const format = useFormats()
  if (alike.length === 0 && lacking.length === 0) return null
  return (
    <ul className={classes.faults}>
      {alike.slice(0, 10).map((ids) => (
        <li key={ids.join()}>
          <StateMark tone="warn">{t('alike', { names: format.list(ids.slice(0, 5).map(words)) })}</StateMark>
        </li>
      ))}
      {lacking.slice(0, 10).map(({ id, keys }) => (
        <li key={id}>
          <StateMark tone="warn">
            {keys.length === 0
              ? t('lacksAll', { name: words(id) })
              : t('lacks', { name: words(id), options: format.list(keys) })}
          </StateMark>
        </li>
      ))}
    </ul>
  )
}
