import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { columnOf, columnsIn, isObject, kindOf, type FieldName } from './mapping.ts'

/** What a field of an offer is called. */
export function useFieldName(): (field: string) => string {
  const { t } = useTranslation('import')
  return (field) => {
    const [name = '', ...locale] = field.split('.')
    if (!i18next.exists(`import:fields.${name}`)) return field
    const words = t(`fields.${name as FieldName}`)
    return locale.length === 0 ? words : `${words} (${locale.join('.')})`
  }
}

/** A source of a value in words. */
export function useSourceWords(): (source: unknown) => string {
  const { t } = useTranslation('import')
  return (source) => {
    if (Array.isArray(source)) return columnsIn(source).join(', ')
    const columns = columnsIn(source).join(', ')
    switch (kindOf(source)) {
      case 'column':
        return columnOf(source) ?? ''
      case 'constant':
        return `“${String(isObject(source) ? source['constant'] : '')}”`
      case 'join':
        return t('kinds.joined', { columns })
      case 'first':
        return t('kinds.firstOf', { columns })
      case 'when':
        return t('kinds.conditional', { columns })
      case 'calc':
        return t('kinds.calculated', { columns })
      case 'tiers':
      case 'other':
      default:
        return columns === '' ? t('kinds.other') : columns
    }
  }
}
