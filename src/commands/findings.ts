import type { Findings } from '../shelf/findings.ts'

const SHOWN = 20

/** Findings as text for a terminal. */
export function findingsText(findings: Findings): string {
  const section = <Row>(title: string, rows: readonly Row[], line: (row: Row) => string): string[] => [
    `${title}: ${rows.length === 0 ? 'none' : rows.length}`,
    ...rows.slice(0, SHOWN).map((row) => `  ${line(row)}`),
    ...(rows.length > SHOWN ? [`  … and ${rows.length - SHOWN} more; --json lists them`] : []),
  ]
  return [
    ...section(
      'EANs on several products',
      findings.eanCollisions,
      (row) => `${row.gtin}: products ${row.productIds.join(', ')}`,
    ),
    ...section(
      'EANs with a wrong length or check digit',
      findings.eansInvalid,
      (row) => `${row.ean}: product ${row.productId}`,
    ),
    ...section(
      'SKUs of several products',
      findings.skuCollisions,
      (row) => `${row.sku} in store ${row.storeId}: products ${row.productIds.join(', ')}`,
    ),
    ...section(
      'Offers without an exchange rate',
      findings.offersWithoutRate,
      (row) =>
        `${row.offers} of supplier ${row.supplierId} in ${row.currency}; set it with: shelfwire rate set ${row.currency}=…`,
    ),
    ...section(
      'Texts from any other locale',
      findings.textsFromAnyLocale,
      (row) => `${row.field} of product ${row.productId} in store ${row.storeId}`,
    ),
    ...section(
      'Held prices',
      findings.pricesHeld,
      (row) =>
        `product ${row.productId}, store ${row.storeId}, group ${row.groupId}: ${row.shownPrice} shown, ${row.wantedPrice} ${row.currency} wanted`,
    ),
  ].join('\n')
}
