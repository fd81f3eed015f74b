import { say } from '../../../contract/remarks/remarks.ts'
import { bareName, isBelowPrice } from './sale-prices.ts'
import type { Column, SampleRows } from './sample-columns.ts'

// The price in a supplier's catalog, or for the public, beside what the merchant pays: `Listino` beside `Prezzo`, `retail_price` beside
// `wholesale_price`. docs/decisions/269-what-is-certain-is-read.md says why.

/** What a price of a catalog or for the public is called, as `bareName` writes it. */
const PUBLIC =
  /^(?:catalog(?:ue)?|retail|public|consumer|end ?user|shop)price(?:net|gross|excl?vat|incl?vat|usd|eur|gbp)?$|^price(?:retail|list|public)$|^(?:list|katalog|bruttolisten|listen|laden|endkunden|verbraucher|publikums)preis(?:netto|brutto|eur)?$|^(?:prezzo(?:di)?)?listino(?:base|prezzi|pubblico|ufficiale|lordo)?$|^prezzo(?:al)?(?:pubblico|dettaglio)$|^prix(?:public|catalogue|detail|tarif)(?:ht|ttc)?$|^precio(?:de)?(?:lista|tarifa|catalogo|alpublico|publico|minorista|detal)$|^pre[cç]o(?:de)?(?:tabela|lista|catalogo|varejo|aopublico|publico)$|^(?:catalogus|lijst|bruto|consumenten|winkel)prijs$|^cena(?:katalogowa|cennikowa|detaliczna|detal)(?:netto|brutto)?$|^(?:cenikova|cennikova|maloobchodni|maloobchodna|katalogova)cena$|^(?:list|katalog|butiks|utsalgs|brutto)pris$|^(?:lista|kisker|kiskereskedelmi)ar$|^pret(?:de)?(?:lista|catalog|raft|public)$|^(?:liste|katalog|perakende|etiket)(?:satis)?fiyati?$|^(?:розничная|роздрібна|каталожная)(?:цена|ціна)$|^(?:цена|ціна)(?:розн|розница|розничная|роздріб|роздрібна|прайс)$|^(?:λιανικη|τιμη(?:λιανικησ|καταλογου))$|^(?:小売|販売|カタログ)(?:価格|単価)$|^(?:零售|目录|指导|标)价$|^(?:소비자가|권장소비자가)$|^harga(?:eceran|katalog|retail)$|^giabanle$/u

/**
 * Takes the price of a catalog or for the public for the list price where it is above the cost nearly always. Its name does not say whether somebody
 * recommends to ask for it: that is asked.
 */
export function proposePublicPrice(
  columns: readonly Column[],
  rows: SampleRows,
  fields: Record<string, unknown>,
  used: Set<string>,
  { note, ask }: { note: (path: string, reason: string) => void; ask: (question: string, field?: string) => void },
): void {
  const own = columns.find(({ name }) => name === fields['cost'])
  if (own === undefined || fields['list_price'] !== undefined) return
  const found = columns.find(
    (one) =>
      one !== own &&
      !used.has(one.name) &&
      one.name.length <= NAME_LENGTH_MAX &&
      PUBLIC.test(bareName(one.name.replace(IN_BRACKETS, ''))) &&
      isBelowPrice(own, one, rows),
  )
  if (found === undefined) return
  fields['list_price'] = found.name
  used.add(found.name)
  note(
    'fields.list_price',
    `${JSON.stringify(found.name)}: it is called like a price for the public, and is above the cost`,
  )
  ask(say('list_price_beside', { column: found.name, cost: JSON.stringify(own.name) }), 'list_price')
}
const NAME_LENGTH_MAX = 100
/** `Liste Fiyatı (TL)` */
const IN_BRACKETS = /\s*[([][^()[\]]{1,20}[)\]]$/u
