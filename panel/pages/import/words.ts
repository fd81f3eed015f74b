import { useTranslation } from 'react-i18next'
import { isReadyMapping, READY_MAPPINGS } from '../../../contract/file-formats.ts'
import { MAPPED_ALTS } from '../../../contract/product-fields.ts'
import { useFormats } from '../../words/format.ts'
import { sourceFieldOf, useFieldNames } from '../../words/field-names.ts'
import { isObject } from '../../resources/is-object.ts'
import { columnOf, columnsIn, kindOf, VARIANT_FIELDS } from './mapping.ts'

/** Fields of files besides those of products; the SKU is the supplier's own. */
const OWN = [
  'sku',
  'cost',
  'cost_tiers',
  'currency',
  'quantity',
  'eans',
  'dimensions',
  'row',
  'offer',
  ...VARIANT_FIELDS,
] as const

export function useFieldName(): (field: string) => string {
  const { t } = useTranslation('import')
  const fieldName = useFieldNames()
  return (field) => {
    const [name = '', ...locale] = field.split('.')
    const own = OWN.find((one) => one === name)
    const known = sourceFieldOf(name)
    if (name === MAPPED_ALTS) return t('fields.image_alts')
    if (own === undefined && known === undefined) return field
    const words = own !== undefined ? t(`fields.${own}`) : known !== undefined ? fieldName(known) : field
    return locale.length === 0 ? words : `${words} (${locale.join('.')})`
  }
}

/** The name of the system whose files a ready mapping reads. */
export const presetName = (preset: string) => (isReadyMapping(preset) ? READY_MAPPINGS[preset] : preset)

/** A source of a value in words. */
export function useSourceWords(): (source: unknown) => string {
  const { t } = useTranslation('import')
  const format = useFormats()
  return (source) => {
    if (Array.isArray(source)) return columnsIn(source).join(', ')
    const columns = columnsIn(source).join(', ')
    switch (kindOf(source)) {
      case 'column':
        return columnOf(source) ?? ''
      case 'constant':
        return format.quote(String(isObject(source) ? source['constant'] : ''))
      case 'join':
        return t('kinds.joined', { columns })
      case 'first':
        return t('kinds.firstOf', { columns })
      case 'when':
        return t('kinds.conditional', { columns })
      case 'calc':
        return t('kinds.calculated', { columns })
      case 'sum':
        return t('kinds.summed', { columns })
      case 'tiers':
      case 'other':
      default:
        return columns === '' ? t('kinds.other') : columns
    }
  }
}
