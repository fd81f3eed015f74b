import { useTranslation } from 'react-i18next'

const OWN = ['sku', 'cost', 'currency', 'quantity', 'offer'] as const

/** What a field of an offer is called, as refusals and changes name it: with its language, or the key of its attribute. */
export function useRefusedField(): (name: string) => string {
  const { t, i18n } = useTranslation(['runs', 'resources'])
  return (name) => {
    if (name === '' || name === 'row') return t('refusals.row')
    const [first = '', ...rest] = name.split('.')
    const own = OWN.find((one) => one === first)
    const key = `resources:fields.${first === 'eans' ? 'ean' : first}`
    const field =
      own !== undefined ? t(`refusals.fields.${own}`) : i18n.exists(key) ? t(key as 'resources:fields.title') : first
    return rest.length === 0 ? field : t('changes.inLanguage', { field, locale: rest.join('.') })
  }
}
