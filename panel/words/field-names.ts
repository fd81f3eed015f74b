import { useTranslation } from 'react-i18next'
import { SOURCE_FIELDS, type SourceField } from '../../contract/product-fields.ts'
import './resources.ts'

/** What a field of a product is called. The words are at one place, and a field without any does not compile. */
export function useFieldNames(): (field: SourceField) => string {
  const { t } = useTranslation('resources')
  return (field) => t(`fields.${field}`)
}

/** The field of this name; undefined: it is something else. */
export const sourceFieldOf = (name: string): SourceField | undefined => SOURCE_FIELDS.find((field) => field === name)
