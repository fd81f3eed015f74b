import { useTranslation } from 'react-i18next'
import { SOURCE_FIELDS, type SourceField } from '../../contract/product-fields.ts'
import './resources.ts'

/** The name of a product field. All names are in one place, and a field without one does not compile. */
export function useFieldNames(): (field: SourceField) => string {
  const { t } = useTranslation('resources')
  return (field) => t(`fields.${field}`)
}

/** The field with this name; undefined if it is not one. */
export const sourceFieldOf = (name: string): SourceField | undefined => SOURCE_FIELDS.find((field) => field === name)
