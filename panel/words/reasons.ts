import i18next from 'i18next'
import { useTranslation } from 'react-i18next'

/** Why a product is excluded: the rule's own text, or else the kind of the rule in words. */
export function useReasonWords(): (reason: string) => string {
  const { t } = useTranslation('shared')
  return (reason) =>
    i18next.exists(`shared:reasons.${reason}`) ? t(`reasons.${reason}` as 'reasons.no_price') : reason
}

/** A gap of a product in a store, in words. */
export function useGapWords(): (gap: string) => string {
  const { t } = useTranslation('shared')
  return (gap) => (i18next.exists(`shared:gaps.${gap}`) ? t(`gaps.${gap}` as 'gaps.no_price') : gap)
}
