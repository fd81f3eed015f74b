import { say } from '../../../contract/remarks/remarks.ts'
import type { Draft } from './draft.ts'
import { bareName, isBelowPrice } from './sale-prices.ts'

// Finds the price in a supplier's catalog, or for the public, beside what the merchant pays: `Listino` beside `Prezzo`. A column that is called a
// retail price may have the merchant's own. docs/decisions/269-what-is-certain-is-read.md says why.

/** Names of prices in a catalog or for the public, as `bareName` writes them. */
const PUBLIC =
  /^(?:catalog(?:ue)?|public|consumer|end ?user)price(?:net|gross|excl?vat|incl?vat|usd|eur|gbp)?$|^price(?:list|public)$|^listprice$|^(?:list|katalog|bruttolisten|listen|endkunden|verbraucher|publikums)preis(?:netto|brutto|eur)?$|^(?:prezzo(?:di)?)?listino(?:base|prezzi|pubblico|ufficiale|lordo)?$|^prezzo(?:al)?pubblico$|^prix(?:public|catalogue|tarif)(?:ht|ttc)?$|^precio(?:de)?(?:lista|tarifa|catalogo|alpublico|publico)$|^pre[cç]o(?:de)?(?:tabela|lista|catalogo|aopublico|publico)$|^(?:catalogus|lijst|bruto|consumenten)prijs$|^cena(?:katalogowa|cennikowa)(?:netto|brutto)?$|^(?:cenikova|cennikova|katalogova)cena$|^(?:list|katalog|brutto)pris$|^listaar$|^pret(?:de)?(?:lista|catalog|public)$|^(?:liste|katalog|etiket)(?:satis)?fiyati?$|^каталожная(?:цена|ціна)$|^(?:цена|ціна)прайс$|^τιμηκαταλογου$|^カタログ(?:価格|単価)$|^(?:目录|指导|标)价$|^권장소비자가$|^hargakatalog$/u
/** Names of a shop's price: the shop may be the supplier's customer, or the merchant. */
const RETAIL =
  /^(?:retail|shop)price(?:net|gross|excl?vat|incl?vat|usd|eur|gbp)?$|^priceretail$|^ladenpreis$|^prezzo(?:al)?dettaglio$|^prixdetail$|^precio(?:de)?(?:minorista|detal)$|^pre[cç]o(?:de)?varejo$|^winkelprijs$|^cenadetal(?:iczna)?(?:netto|brutto)?$|^maloobchodn[ia]cena$|^(?:butiks|utsalgs)pris$|^(?:kisker|kiskereskedelmi)ar$|^pretraft$|^perakende(?:satis)?fiyati?$|^(?:розничная|роздрібна)(?:цена|ціна)$|^(?:цена|ціна)(?:розн|розница|розничная|роздріб|роздрібна)$|^(?:λιανικη|τιμηλιανικησ)$|^(?:小売|販売)(?:価格|単価)$|^零售价$|^소비자가$|^hargaeceran$|^giabanle$/u

/**
 * Proposes the price in a catalog or for the public as the list price if it is nearly always above the cost. Its name does not show whether it may be
 * published, so the merchant is asked. A retail price is not proposed; the merchant is asked whether it is a recommended price.
 */
export function proposePublicPrice({ columns, rows, fields, used, note, ask }: Draft): void {
  const own = columns.find(({ name }) => name === fields['cost'])
  if (own === undefined || fields['list_price'] !== undefined) return
  const above = (names: RegExp) =>
    columns.find(
      (one) =>
        one !== own &&
        !used.has(one.name) &&
        one.name.length <= NAME_LENGTH_MAX &&
        names.test(bareName(one.name.replace(IN_BRACKETS, ''))) &&
        isBelowPrice(own, one, rows),
    )
  const found = above(PUBLIC)
  if (found === undefined) {
    const retail = above(RETAIL)
    if (retail !== undefined) ask(say('list_price_perhaps', { column: retail.name }), 'list_price')
    return
  }
  fields['list_price'] = found.name
  used.add(found.name)
  note(
    'fields.list_price',
    `${JSON.stringify(found.name)}: it is called like a price for the public, and is above the cost`,
  )
  ask(say('list_price_beside', { column: found.name, cost: JSON.stringify(own.name) }), 'list_price')
}
const NAME_LENGTH_MAX = 100
/** The end of a name such as `Liste Fiyatı (TL)`. */
const IN_BRACKETS = /\s*[([][^()[\]]{1,20}[)\]]$/u
