import i18next from 'i18next'
import { useTranslation } from 'react-i18next'

/** Why a product is excluded: a rule's own text, or the kind of a rule without one, as a person says it. */
export function useReasonWords(): (reason: string) => string {
  const { t } = useTranslation('shared')
  return (reason) =>
    i18next.exists(`shared:reasons.${reason}`) ? t(`reasons.${reason}` as 'reasons.no_price') : reason
}

/** What a product lacks in a store, as a person says it. */
export function useGapWords(): (gap: string) => string {
  const { t } = useTranslation('shared')
  return (gap) => (i18next.exists(`shared:gaps.${gap}`) ? t(`gaps.${gap}` as 'gaps.no_price') : gap)
}
