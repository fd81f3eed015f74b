import { useTranslation } from 'react-i18next'
import type { StoreProduct } from '../../api/catalog.ts'
import { useResourceWords } from '../../resources/words.ts'
import { useFormats } from '../../words/format.ts'
import type { ProductExplanation } from './data.ts'
import classes from './product.module.css'

type Attribute = StoreProduct['attributes'][number]

/** An attribute's value as text, and below it its typed value: "Number: 0.6 kg". */
export function AttributeCell({
  attribute,
  why,
}: {
  attribute: Attribute | undefined
  why: ProductExplanation | undefined
}) {
  const typed = useTyped(attribute, why)
  return (
    <>
      <span dir="auto" className={classes.cut}>
        {attribute?.value ?? '–'}
      </span>
      {typed === null ? null : (
        <small className={`${classes.quiet} ${classes.cut}`} dir="auto">
          {typed}
        </small>
      )}
    </>
  )
}

function useTyped(attribute: Attribute | undefined, why: ProductExplanation | undefined): string | null {
  const { t } = useTranslation(['product', 'product-edit'])
  const words = useResourceWords('attributes')
  const format = useFormats()
  if (attribute?.type === undefined) return null
  const { key, type, value_number: number, unit, value_boolean: boolean, values } = attribute
  const name = words.of(`types.${type}`)
  // the explanation has why the value does not fit its type
  if (why?.attributes.find((one) => one.key === key)?.typed?.unread !== undefined)
    return t('typed.unread', { type: name })
  const value =
    number !== undefined
      ? [format.decimal(String(number)), unit].filter((part) => part !== undefined).join(' ')
      : boolean !== undefined
        ? t(boolean ? 'product-edit:changes.yes' : 'product-edit:changes.no')
        : values?.join(' · ')
  return value === undefined ? name : t('typed.value', { type: name, value })
}
