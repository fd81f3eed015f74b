import { useTranslation } from 'react-i18next'
import type { ContentUnit } from '../../../contract/content-units.ts'
import { useFormats } from '../../words/format.ts'

/** Symbols of units; a piece is written as a word. */
const SYMBOLS: Readonly<Partial<Record<ContentUnit, string>>> = { m2: 'm²', m3: 'm³', cm2: 'cm²' }

/** "13.32 € per l", "1.20 € per 100 g". */
export function useUnitPriceWords(): (
  price: { value: number | string; unit: ContentUnit; reference_quantity: number | string },
  currency: string,
) => string {
  const { t } = useTranslation('product')
  const format = useFormats()
  return ({ value, unit, reference_quantity: quantity }, currency) => {
    const symbol = unit === 'piece' ? t('why.piece') : (SYMBOLS[unit] ?? unit)
    const per = Number(quantity) === 1 ? symbol : `${format.decimal(String(quantity))} ${symbol}`
    return t('why.perUnit', { price: format.money(value, currency), quantity: per })
  }
}
