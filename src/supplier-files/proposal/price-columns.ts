import { guessByName } from './column-names.ts'
import { lettersOf } from './name-letters.ts'

// Finds the kind of price of a column, as far as its name shows it. A cost is what the merchant pays; exports of shops, and many
// lists, have the price at which the shop sells instead.

/** A column of prices whose name shows its kind. */
export interface PriceColumn {
  column: string
  /** purchase: what the merchant pays; selling: what a customer of the shop pays. */
  kind: 'purchase' | 'selling'
  /** Whether it includes VAT, if known. */
  vat: 'included' | 'excluded' | 'unknown'
}

/** The kind of price that a name shows. */
export type PriceKind = Omit<PriceColumn, 'column'>

const PURCHASE =
  /^(?:netto|händler|haendler)?ek(?:preis|netto|eur|$)|einkaufs?(?:preis|wert)|(?:purchas(?:e|ing)|buy(?:ing)?|dealer|distributor|reseller|stockist|wholesale|trade)(?:price|cost)|^costs?(?:price|net|eur|peritem|perunit)?$|(?:unit|item|average|standard)cost$|costofgoods|^cogs$|händlerpreis|haendlerpreis|^nákupní$|nákupní?cena|nakupnicena|cenanákupní|cenanakupni|cenazakupu|cenahurtowa|inkoopprijs|prixd?achat|preciode?compra|^coste|^costo|prezzod?acquisto|^wholesale$|^inköpspris|^kostpris|indkøbspris|innkjøpspris|ostohinta|beszerzésiár|nagykerár|prețachiziție|pretachizitie|alışfiyatı|alisfiyati|veľkoobchodnácena|velkoobchodn[íi]cena|pre[çc]o(?:de)?(?:custo|compra)|valor(?:de|da)?(?:compra|custo)|precio(?:de)?(?:costo|coste)|costoneto|custo(?:unit|m[ée]dio)|закупочн|ценазакуп|^закупка|(?:цена|стоимость)опт|^опт(?:овая|ова)?(?:цена|ціна)|^(?:(?:цена|ціна)(?:рубл[иейь]*|руб|грн)?)?(?:мелкий|средний|крупный)?опт(?:ом)?$|цінаопт|nabavnacijena|tarifht|nettocliente|prezzocliente|netalış|netalis|alışf|alış.*maliyet|^maliyet$|^alış$|b2b$|^priceb2b|b2bprice|^pa(?:ht|net|$)|^precompra$|^valuationrate$|^defaultcost$|仕入|卸価格|下代|进价|成本价|采购价|(?:supplier|vendor)price|lieferantenpreis|precio(?:del?)?proveedor|pre[çc]o(?:do)?fornecedor|prix(?:du)?fournisseur|prezzo(?:del)?fornitore|leveranciersprijs|cenadostawcy|ценапоставщика|ціна(?:від)?постачальника|^(?:fob|exw|exworks|cif|dap|ddp)(?:price|cost)?$|^modal$|^h(?:arga)?(?:beli|modal|pokok|grosir)|^hpp$|giánhập|giávốn|giásỉ|giábuôn|giámua|원가|매입|공급(?:단)?가|도매가|사입가|입고(?:단)?가|구매(?:단)?가|ราคาทุน|ต้นทุน|ราคาส่ง|ราคาซื้อ|سعرالشراء|سعرالجملة|التكلفة|سعرالكلفة|قیمتخرید|قیمتعمده|מחירעלות|מחירקנייה|מחירסיטונאי/
/** Names of what dealers pay in Indian lists; such a column may also have an exchange rate, or percent off. */
const DEALER_RATE = /(?:dealer|distributor|reseller|stockist|wholesale)rate/
/** Words for a price, which tell it from a weight or a rate that is called gross, or has VAT in its name. */
const PRICE = /pri(?:ce|x|js)|preis|precio|prezzo|cena|ceny|fiyat|цена|τιμ[ηή]/
const SELLING =
  /^(?:цена|ціна)(?:рубл[иейь]*|руб|грн)?розниц|^(?:variantprice|regularprice|regulärerpreis|saleprice|angebotspreis)$|retailprice|pricereta?il|sell(?:ing)?price|salesprice|verkaufspreis|compareatprice|^vk(?:preis|brutto|netto|$)|(?:brutto|netto)vk$|^uvp|^rrp|^mrp$|^retail$|^msrp|^srp$|^pvp|^brutto$|cenadetaliczna|cenakatalogowa|cenasprzedaży|cenasprzedazy|consumentenprijs|adviesprijs|verkoopprijs|prixpublic|prixdevente|preciodeventa|prezzod?ivendita|^listprice$|^listino$|^prezzodilistino$|doporučenácena|odporúčanácena|rekpris|^vejl|udsalgspris|veiledendepris|ohjehinta|fogyasztóiár|prețvânzare|satışfiyatı|preço(?:de)?venda|pvp|streetprice|b2c$|^priceb2c|^vk(?:netto|brutto)|preciov(?:en)?ta|^preventa$|prezzoalpubblico|розничн|^(?:standard)?sellingrate$|^pv(?:ttc|conseill)|小売|上代|零售价|satışfiyat|satisfiyat|^h(?:arga)?jual|hargaeceran|giábán|giálẻ|판매(?:단)?가|소비자가|ราคาขาย|سعرالبيع|قیمتفروش|מחירמכירה|מחירלצרכן/
const WITHOUT_VAT =
  /(?:ex|eks|ekskl|exkl|excl|excluding|exclusive|without|ohne|hors|senza|sin|bez|без|hariç|zzgl)(?:of)?(?:vat|tax(?:es)?|mwst|ust|tva|taxe|iva|btw|dph|ндс|kdv|moms|mva)|kdvhariç|(?:vat|tax|mwst|btw)(?:ex|free)|netto|net$|netprice|ht$/
const WITH_VAT =
  /brutto|gross|vat|taxincl|incltax|includingtax|withtax|mwst|ust$|ttc$|sdph|tva|iva|btw|kdv|ндс|moms|mva/

/** Words about tax in the name of a member. */
const SAYS_VAT = /vat|tax|gross|brutto|netto|mwst|moms|iva|btw|dph|ндс/i
/** Names of members whose kind of price the member around them states: `with_vat.price`. */
const AMOUNT_ALONE = /^(?:price|amount|value)$/i

/**
 * The letters and digits of a column's or member's name, in lower case. The names around a member are left out, unless they state
 * the tax.
 */
function bareName(column: string): string {
  const parts = column.split(/\.(?!\s)/).filter((part) => part.trim() !== '')
  const last = parts.at(-1) ?? column
  const said = AMOUNT_ALONE.test(last.trim()) && SAYS_VAT.test(parts.at(-2) ?? '') ? `${parts.at(-2)}${last}` : last
  return lettersOf(said)
}

/** Whether a column is called like a rate for dealers. It has what they pay if its values are plausible (isPaidRate). */
export const isDealerRate = (column: string): boolean => DEALER_RATE.test(bareName(column))

/** The kind of price by the name of a column; undefined if the name does not show it, as `Price` alone does not */
export function priceKindOf(column: string): PriceKind | undefined {
  const name = bareName(column)
  if (PURCHASE.test(name) || DEALER_RATE.test(name)) return { kind: 'purchase', vat: 'unknown' }
  const isPrice = PRICE.test(name)
  const isSelling = SELLING.test(name) || guessByName(column).some(({ field }) => field === 'list_price')
  const isNet = WITHOUT_VAT.test(name)
  const hasVat = !isNet && (isPrice || isSelling) && WITH_VAT.test(name)
  // a price without VAT may be a purchase or a selling price
  if (!hasVat && !isSelling) return undefined
  return { kind: 'selling', vat: hasVat ? 'included' : isNet ? 'excluded' : 'unknown' }
}

const VAT_WORDS = { included: ', with VAT', excluded: ', without VAT', unknown: ', perhaps with VAT' }

/** The remark about a cost that is read from a column of selling prices. */
export function sellingPriceReason({ vat }: PriceKind): string {
  const net =
    vat === 'excluded' ? '' : '; {"calc": "gross * 100 / (100 + 19)", "of": {"gross": …}} makes one with 19% VAT net'
  return `it is probably the price at which the shop sells${VAT_WORDS[vat]}, and not what you pay: look for another column${net}`
}

/** The remark about a list price that includes VAT; '' for others. */
export const listPriceReason = (price: PriceKind | undefined): string =>
  price?.vat === 'included'
    ? '. It has VAT in it: "list_price_tax": {"constant": "DE"} says whose, where you have tax classes; else, where your costs have none, {"calc": "rrp * 100 / (100 + 19)", "of": {"rrp": …}} takes 19% out'
    : ''
