// What suppliers call their columns, by field and language. Compared in small letters, without anything but letters and digits.

import type { MappedField } from '../../contract/product-fields.ts'

type Names = Readonly<Record<string, string>>

/** Names by language, separated by blanks. */
const NAMES: Readonly<Record<MappedField, Names>> = {
  sku: {
    en: 'sku supplierarticle ordernumber variantsku articlenumber articleno article itemnumber itemno itemid item productcode productid productno partnumber partno code reference ref id itemsku sellersku productsku defaultcode internalreference productnumber customlabel customlabelsku stockcode stockkeepingunit supplierreference suppliercode suppliersku vendorsku partcode itemcode articlecode catalognumber catno materialnumber mainsku merchantsku modelnumber model uuid externalid productcodesku',
    de: 'artikelnummer artikelnr artnr bestellnummer bestellnr artikel produktnummer lieferantenartikelnummer artnummer sachnummer materialnummer lieferantennummer',
    pl: 'symbol indeks kod kodproduktu numer nrkatalogowy kodtowaru symboltowaru indekstowaru nrartykułu kodartykułu',
    fr: 'référence codearticle refproduit réf refarticle référencearticle référenceproduit codeproduit refinterne ugs',
    es: 'referencia codigo código códigoartículo codigoarticulo códigoproducto ref refª referenciaproducto',
    it: 'codice codicearticolo codart codiceprodotto cod riferimento sku',
    nl: 'artikelnummer artikelcode artikelnr productcode bestelnummer',
    cs: 'kód kódproduktu katalogovéčíslo kódzboží kodzbozi kodproduktu katalogovecislo objednacíkód',
    sk: 'kód kódtovaru kodtovaru kódproduktu katalógovéčíslo',
    pt: 'referência referencia refª códigoproduto códigodoproduto codigoproduto artigo códigoartigo código',
    sv: 'artikelnummer artnr produktnummer artikelkod',
    da: 'varenr varenummer produktnummer vnr',
    no: 'varenr varenummer artikkelnummer produktnummer',
    fi: 'tuotenumero tuotekoodi koodi nimikenumero',
    hu: 'cikkszám cikkszam termékkód termekkod',
    ro: 'codprodus codarticol cod codintern',
    tr: 'stokkodu stokkod ürünkodu urunkodu',
    ru: 'артикул кодтовара код',
    uk: 'артикул кодтовару',
    hr: 'šifra šifraartikla',
    sl: 'šifra šifraartikla',
  },
  ean: {
    en: 'ean eancode ean13 gtin gtin13 upc barcode eans barcodes upcean productean pean pupc externalproductid gtinupceanorisbn globaltradenumber eanupc eannumber eanno barcodeean',
    de: 'eannummer strichcode eangtin gtinean barcode ean13code',
    pl: 'kodean kodkreskowy kodean13 kodykreskowe',
    fr: 'codebarres codeean codebarre gencod gencode ean13',
    cs: 'čárovýkód ean13',
    es: 'códigodebarras codigodebarras códigobarras codigobarras codbarras',
    it: 'barcode codiceabarre codicebarre codiceean',
    nl: 'streepjescode eancode',
    sk: 'čiarovýkód ciarovykod',
    pt: 'códigodebarras codigodebarras códigobarras',
    sv: 'streckkod eankod',
    da: 'stregkode eannummer',
    no: 'strekkode eankode',
    fi: 'viivakoodi eankoodi',
    hu: 'vonalkód vonalkod',
    ro: 'coddebare codbare codean',
    tr: 'barkod',
    ru: 'штрихкод',
    uk: 'штрихкод',
    hr: 'barkod',
  },
  cost: {
    en: 'cost price netprice pricenet pricetaxexcluded priceexcltax pricetaxincluded purchaseprice dealerprice wholesaleprice unitprice buyprice costprice tradeprice tradecost netcost standardprice currentprice buyingprice wholesale unitcost each listprice costnet',
    de: 'ek ekpreis einkaufspreis einkaufspreisnetto nettopreis preisnetto händlerpreis preis eknetto preiseur händlerek händlereknetto ekpreisnetto preisproeinheit einzelpreis stückpreis listenpreis nettopreiseur',
    pl: 'cena cenanetto cenazakupu cenahurtowa netto cenahurtowanetto cenazakupunetto cenajednostkowa',
    fr: 'prix prixht prixachat tarif prixdachat prixdachatht prixnet tarifht puht',
    es: 'precio precioneto coste preciocompra preciodecompra preciocoste precionormal tarifa costo',
    it: 'prezzo prezzonetto costo costounitario prezzoacquisto prezzodiacquisto listino prezzodilistino prezzounitario',
    nl: 'prijs inkoopprijs nettoprijs inkoop inkoopprijsexclbtw prijsexclbtw',
    cs: 'cena nákupnícena cenabezdph pricevat nákupnícenabezdph velkoobchodnícena',
    sk: 'veľkoobchodnácena velkoobchodnacena nákupnácena cenabezdph cena',
    pt: 'preço preco preçocusto preçodecusto preçocompra custo pvc',
    sv: 'inköpspris inkopspris pris nettopris',
    da: 'kostpris indkøbspris pris nettopris',
    no: 'innkjøpspris kostpris pris nettopris',
    fi: 'ostohinta hinta nettohinta',
    hu: 'nettóár nettoár ár beszerzésiár nagykerár nettóegységár',
    ro: 'preț pret prețachiziție pretachizitie',
    tr: 'alışfiyatı fiyat birimfiyat',
    ru: 'цена закупочнаяцена оптоваяцена',
    uk: 'ціна',
    hr: 'cijena nabavnacijena',
    sl: 'cena nabavnacena',
  },
  currency: {
    en: 'currency currencycode curr',
    de: 'währung',
    pl: 'waluta',
    fr: 'devise',
    es: 'moneda',
    it: 'valuta',
    cs: 'měna',
    pt: 'moeda',
    sv: 'valuta',
    hu: 'pénznem',
    ro: 'monedă',
    tr: 'parabirimi',
  },
  quantity: {
    en: 'quantity qty stock stockquantity stockqty instock available availability inventory onhand stockonhand quantityonhand qtyavailable availablequantity availableqty availablestock currentstock currentstocklevel stocklevel freestock quantityinstock qtyinstock inventoryquantity inventoryqty variantinventoryqty variantinventoryquantity onhandquantity unitsinstock quantitytosellonfacebook quantityavailable pieces',
    de: 'bestand lagerbestand instock menge lager verfügbarkeit verfügbar lagermenge verfügbaremenge lagerbestandgesamt verfügbarermenge stückzahl bestandsmenge anzahl',
    pl: 'stan stanmagazynowy ilość ilosc dostępność dostepnosc ilośćdostępna iloscdostepna stanmag dostępnailość liczbasztuk sztuk',
    fr: 'quantité stockdisponible disponibilité qté qte quantitéenstock qtéenstock qteenstock stock',
    es: 'cantidad existencias disponibilidad stock inventario cantidaddisponible unidades',
    it: 'quantità giacenza disponibilità stock magazzino quantitàdisponibile disponibile qta qtà',
    nl: 'voorraad aantal voorraadaantal beschikbaar',
    cs: 'množství skladem sklad dostupnost početksskladem početkusů stavskladu počet',
    sk: 'množstvo množstvonasklade skladom počet naskladě nasklade',
    pt: 'quantidade existência existências stock estoque qtd',
    sv: 'lagersaldo saldo antal ilager',
    da: 'lagerbeholdning pålager lager antal beholdning',
    no: 'lagerbeholdning pålager antall lager',
    fi: 'varastosaldo saldo määrä varastossa',
    hu: 'készlet keszlet mennyiség darabszám',
    ro: 'stoc cantitate stocdisponibil',
    tr: 'stokmiktarı stokadedi stok adet miktar',
    ru: 'остаток количество наличие',
    uk: 'залишок кількість наявність',
    hr: 'zaliha količina stanje',
    sl: 'zaloga količina',
  },
  title: {
    en: 'title name productname itemname producttitle itemdescription productdescriptionshort shortdescription1 displayname',
    de: 'bezeichnung artikelbezeichnung titel produktname artikelname kurztext bezeichnung1 benennung artikelbez kurzbezeichnung',
    pl: 'nazwa nazwaproduktu tytuł nazwatowaru nazwaartykułu',
    fr: 'nom désignation designation libellé titre libelléproduit nomduproduit intitulé',
    es: 'nombre título nombreproducto denominación artículo',
    it: 'nome titolo descrizionebreve descrizionearticolo nomeprodotto denominazione articolo',
    nl: 'naam omschrijving titel artikelomschrijving productnaam',
    cs: 'název názevproduktu názevzboží nazevzbozi nazev',
    sk: 'názov názovtovaru nazov',
    pt: 'designação nome descriçãocurta nomedoproduto produto',
    sv: 'benämning produktnamn namn',
    da: 'varenavn produktnavn navn varetekst',
    no: 'varenavn produktnavn navn',
    fi: 'tuotenimi nimi nimike',
    hu: 'megnevezés megnevezes terméknév név',
    ro: 'denumire denumireprodus nume numeprodus',
    tr: 'ürünadı urunadi ad',
    ru: 'название наименование',
    uk: 'назва найменування',
    hr: 'naziv',
    sl: 'naziv ime',
  },
  description: {
    en: 'description longdescription text bodyhtml desc productdescription itemdescriptionlong salesdescription',
    de: 'beschreibung langtext artikelbeschreibung',
    pl: 'opis opisproduktu',
    fr: 'description descriptif',
    es: 'descripción',
    it: 'descrizione',
    nl: 'beschrijving',
    cs: 'popis',
    pt: 'descrição',
    sv: 'beskrivning',
    da: 'beskrivelse',
    no: 'beskrivelse',
    fi: 'kuvaus',
    hu: 'leírás',
    ro: 'descriere',
    tr: 'açıklama',
    sk: 'popis',
    ru: 'описание',
    uk: 'опис',
    hr: 'opis',
  },
  manufacturer: {
    en: 'manufacturer brand brandname vendor maker manufacturername',
    de: 'hersteller marke',
    pl: 'producent marka',
    fr: 'fabricant marque',
    es: 'fabricante marca',
    it: 'produttore marca',
    nl: 'fabrikant merk',
    cs: 'výrobce značka',
    pt: 'fabricante marca',
    sv: 'varumärke tillverkare',
    da: 'mærke producent',
    no: 'merke produsent',
    fi: 'valmistaja merkki',
    hu: 'gyártó márka',
    ro: 'producător marcă',
    tr: 'marka üretici',
    sk: 'výrobca značka',
    ru: 'производитель бренд',
    uk: 'виробник',
    hr: 'proizvođač',
  },
  category: {
    en: 'category cat categories categorytext categorypath group productgroup producttype',
    de: 'kategorie warengruppe produktgruppe',
    pl: 'kategoria grupa',
    fr: 'catégorie famille',
    es: 'categoría',
    it: 'categoria',
    nl: 'categorie',
    cs: 'kategorie',
    pt: 'categoria família',
    sv: 'kategori',
    da: 'kategori varegruppe',
    fi: 'tuoteryhmä',
    hu: 'kategória',
    ro: 'categorie',
    tr: 'kategori',
    sk: 'kategória',
    ru: 'категория',
    hr: 'kategorija',
  },
  images: {
    en: 'image images imgurl imgurlalternative imageurl imagelink picture pictures photo img additionalimages imagesrc',
    de: 'bild bilder bildurl produktbild',
    pl: 'zdjęcie zdjecie zdjęcia zdjecia',
    fr: 'photo urlimage',
    es: 'imagen',
    it: 'immagine immagini',
    nl: 'afbeelding',
    cs: 'obrázek obrázky',
  },
  mpn: {
    en: 'mpn manufacturerpartnumber manufacturerpartno manufacturerpn manufacturersku mfrpartnumber mfrpartno mfgpartnumber vendorpartnumber han hans',
    de: 'herstellernummer herstellernr herstellerartikelnummer herstellerartikelnr herstellerartnr herstellerteilenummer teilenummer han',
    pl: 'kodproducenta numerproducenta symbolproducenta numerkatalogowyproducenta',
  },
  condition: {
    en: 'condition itemcondition productcondition',
    de: 'zustand artikelzustand',
    pl: 'stantowaru stanproduktu',
  },
  country_of_origin: {
    en: 'countryoforigin origincountry countryofmanufacture',
    de: 'ursprungsland herkunftsland',
    pl: 'krajpochodzenia krajprodukcji',
  },
  hs_code: {
    en: 'hscode commoditycode tariffnumber tariffcode customstariffnumber customsnumber customscode',
    de: 'zolltarifnummer zolltarifnr zollnummer warentarifnummer',
    pl: 'kodcn kodhs kodtaryfycelnej kodcelny',
  },
  weight: {
    en: 'weight itemweight productweight netweight grossweight shippingweight weightkg weightg weightgrams grams',
    de: 'gewicht nettogewicht bruttogewicht versandgewicht gewichtkg gewichtg',
    pl: 'waga wagakg wagag masa',
  },
  length: {
    en: 'length itemlength productlength packagelength shippinglength lengthcm lengthmm lengthin depth itemdepth productdepth',
    de: 'länge produktlänge artikellänge längecm längemm tiefe tiefecm tiefemm',
    pl: 'długość długośćcm długośćmm głębokość',
  },
  width: {
    en: 'width itemwidth productwidth packagewidth shippingwidth widthcm widthmm widthin',
    de: 'breite produktbreite artikelbreite breitecm breitemm',
    pl: 'szerokość szerokośćcm szerokośćmm',
  },
  height: {
    en: 'height itemheight productheight packageheight shippingheight heightcm heightmm heightin',
    de: 'höhe produkthöhe artikelhöhe höhecm höhemm',
    pl: 'wysokość wysokośćcm wysokośćmm',
  },
  dimensions: {
    en: 'dimensions itemdimensions productdimensions packagedimensions dimensionscm dimensionsmm lxwxh dimensionslxwxh',
    de: 'abmessungen abmessung maße produktmaße abmessungencm abmessungenmm lxbxh abmessungenlxbxh maßelxbxh',
    pl: 'wymiary wymiarycm wymiarymm wymiaryproduktu',
  },
  delivery_time: {
    en: 'deliverytime leadtime shippingtime',
    de: 'lieferzeit lieferfrist',
    pl: 'czasdostawy czaswysyłki czasrealizacji',
  },
  seo_title: {
    en: 'seotitle metatitle pagetitle',
    de: 'seotitel metatitel',
    pl: 'tytułseo metatytuł',
  },
  seo_description: {
    en: 'seodescription metadescription',
    de: 'seobeschreibung metabeschreibung',
    pl: 'opisseo metaopis',
  },
}

/** What a column may be by its name: a field, the language of the name, and how well it fits. */
export interface NameGuess {
  field: MappedField
  languages: readonly string[]
  score: number
  /** The language of its texts, which the name says: `name:de`, `description-en_US-ecommerce`. */
  locale?: string
  /** The currency of its amounts, which the name says: `price-EUR`. */
  currency?: string
}

/** Names that mean something else within longer ones, such as `item group id` and `Umsatz netto`. */
const WHOLE_ONLY = new Set(
  (
    'netto group article artikel numer menge aantal stock model pieces wholesale produto artículo articolo artigo saldo lager antal ' +
    'disponible disponibile inventario magazzino listino tarifa costo inkoop koodi počet count namn barcodes number stoku šifra'
  ).split(' '),
)
/** What makes a price another one than the merchant's, and a quantity another than the stock. */
const OTHER_AMOUNT =
  /umsatz|uvp|brutto|verkauf|show|pseudo|compare|old|alt|rabatt|discount|msrp|rrp|min|max|group|tax(?!ex)|grund|base|unit(?!price)|track|manage|allow|low|policy|backorder|require|continue|location|incoming|unavailable|committed|reserved|pending|notify|threshold|message|status|shipping|delivery|payment|versand|surcharge|special/
/** Columns that are no stock and no cost, although they are called like one: they say whether it is counted, or what happens without it. */
const NO_AMOUNT =
  /track|manage|allow|lowstock|stocklow|policy|backorder|notify|threshold|incoming|unavailable|committed|reserved|pending/

/** Keys by which a system knows a row itself: they come after those by which people order. */
const WEAK_KEYS: Readonly<Record<string, number>> = {
  id: 2,
  uuid: 1.9,
  externalid: 2,
  productid: 2,
  itemid: 2.2,
  numer: 2.3,
  model: 2.3,
  modelnumber: 2.4,
  artikel: 2.5,
  article: 2.5,
  item: 2.5,
  code: 2.7,
  itemnumber: 2.8,
  reference: 2.8,
  supplierreference: 2.6,
  vendorsku: 2.9,
  suppliersku: 2.9,
}

/** Whether a known name is a part of a longer one, with its meaning. */
function isPart(known: string, name: string, field: string): boolean {
  if (known.length <= 4 || WHOLE_ONLY.has(known) || !name.includes(known)) return false
  return (field !== 'cost' && field !== 'quantity') || !OTHER_AMOUNT.test(name.replace(known, ''))
}

const simplified = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What is longer is a text, and no name. */
const NAME_LENGTH_MAX = 200

/**
 * The fields that a column may be by its name, the best first. A number at its end, as in `Image 2`, does not count, and neither does what
 * systems add to names: `*Title`, `Product ID [Non Editable]`, `Variant SKU`.
 */
export function guessByName(column: string): NameGuess[] {
  if (column.length > NAME_LENGTH_MAX) return []
  const name = withoutNotes(column)
  const own = guessBySimplified(simplified(name.split('.').findLast((part) => part.trim() !== '') ?? name))
  const guesses = own.length > 0 ? own : guessBySimplified(simplified(name))
  if (guesses.some(({ score }) => score >= SURE)) return guesses
  const inLanguage = guessInLanguage(name)
  if (inLanguage.length > 0) return inLanguage
  const inCurrency = guessInCurrency(name)
  if (inCurrency.length > 0) return inCurrency
  const byToken = guesses.length > 0 ? [] : guessByTokens(name)
  if (byToken.length > 0) return byToken
  const bare = name.replace(OF_A_PRODUCT, '')
  const short = bare === name ? [] : guessByName(bare).filter(({ score }) => score >= SURE)
  return short.length > 0 ? short.map((guess) => ({ ...guess, score: guess.score - 0.2 })) : guesses
}

/** Words that say what a column is wherever they stand in its name, as in `sku_shop` and `EAN (unit)`; too short to be parts of words. */
const TOKENS: Readonly<Record<string, { field: MappedField; score: number }>> = {
  sku: { field: 'sku', score: 2.6 },
  ean: { field: 'ean', score: 2.4 },
  ean13: { field: 'ean', score: 2.4 },
  gtin: { field: 'ean', score: 2.4 },
  upc: { field: 'ean', score: 2.3 },
  qty: { field: 'quantity', score: 2.4 },
  mpn: { field: 'mpn', score: 2.4 },
}
const OTHER_KEY = /parent|group|master|count|type|has|valid/

function guessByTokens(name: string): NameGuess[] {
  if (OTHER_KEY.test(name.toLowerCase())) return []
  const tokens = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  for (const token of tokens) {
    const known = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined
    if (known === undefined || (known.field === 'quantity' && OTHER_AMOUNT.test(simplified(name)))) continue
    return [{ ...known, languages: [] }]
  }
  return []
}

/** The score from which a name is known as it is. */
const SURE = 2
const OF_A_PRODUCT = /^(?:variant|product|item|produkt|artikel)[\s_-]+(?=\p{L})/iu
/** Signs of required columns, and what is said in brackets about a column. */
const withoutNotes = (column: string) =>
  column.replace(
    /^[*#\s]+|[*\s]+$|\s*\[[^\]]{3,40}\]\s*$|\s*\((?:not editable|current|new|optional|required|pflicht)\)\s*$/giu,
    '',
  )

const LANGUAGES = new Set(
  'bg cs da de el en es et fi fr hr hu it lt lv nb nl no pl pt ro ru sk sl sr sv tr uk'.split(' '),
)
const IN_LANGUAGE =
  /^(.{2,60}?)(?:[:@]|\s*[([]|[-_.](?=[a-z]{2}[-_][A-Z]{2}))([a-z]{2})(?:[-_]([a-z]{2}))?[)\]]?(?:-[a-z_]{1,30})?$/iu
const TEXTS: readonly string[] = ['title', 'description', 'seo_title', 'seo_description']

/** A text whose name says its language. */
function guessInLanguage(name: string): NameGuess[] {
  const [, base = '', language = '', region] = IN_LANGUAGE.exec(name) ?? []
  if (!LANGUAGES.has(language.toLowerCase())) return []
  const locale = region === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${region.toUpperCase()}`
  return guessBySimplified(simplified(base))
    .filter(({ field, score }) => score >= SURE && TEXTS.includes(field))
    .map((guess) => ({ ...guess, languages: [], locale }))
}

const CURRENCIES = new Set(
  'AUD BGN BRL CAD CHF CZK DKK EUR GBP HRK HUF JPY NOK NZD PLN RON RSD RUB SEK TND TRY UAH USD ZAR'.split(' '),
)
const IN_CURRENCY = /^(.{2,60}?)[\s_.([-]+([a-z]{3})[)\]]?$/iu

/** A price whose name says its currency. */
function guessInCurrency(name: string): NameGuess[] {
  const [, base = '', code = ''] = IN_CURRENCY.exec(name) ?? []
  const currency = code.toUpperCase()
  if (!CURRENCIES.has(currency)) return []
  const bare = base.replace(OF_A_PRODUCT, '')
  return guessBySimplified(simplified(bare))
    .filter(({ field, score }) => score >= SURE && field === 'cost')
    .map((guess) => ({ ...guess, currency }))
}

/** Whether a text is a known name as it is, or with a number at its end. */
export function isKnownName(column: string): boolean {
  if (column.length > NAME_LENGTH_MAX) return false
  return [column.split('.').findLast((part) => part.trim() !== '') ?? column, column].some((text) => {
    const name = simplified(withoutNotes(text))
    return KNOWN.has(name) || KNOWN.has(bareOf(name))
  })
}

const LISTS = (Object.entries(NAMES) as [MappedField, Names][]).map(
  ([field, byLanguage]) =>
    [field, Object.entries(byLanguage).map(([language, names]) => [language, names.split(' ')] as const)] as const,
)
const KNOWN = new Set(LISTS.flatMap(([, byLanguage]) => byLanguage.flatMap(([, names]) => names)))
/** Whether any name is a part of a text. Most columns have none, and looking for each name separately takes longer. */
const ANY_PART = new RegExp([...KNOWN].filter((name) => name.length > 4 && !WHOLE_ONLY.has(name)).join('|'))

const bareOf = (name: string) => (name.length > 4 ? name.replace(/\d{1,2}$/, '') : name)

function guessBySimplified(name: string): NameGuess[] {
  const bare = bareOf(name)
  if (!KNOWN.has(name) && !KNOWN.has(bare) && !ANY_PART.test(bare)) return []
  const guesses: NameGuess[] = []
  for (const [field, byLanguage] of LISTS) {
    let score = 0
    let languages: string[] = []
    for (const [language, names] of byLanguage) {
      for (const known of names) {
        const fit = known === name ? 3 : known === bare ? 2.5 : isPart(known, bare, field) ? 1 + known.length / 50 : 0
        if (fit > score) [score, languages] = [fit, [language]]
        else if (fit === score && fit > 0) languages.push(language)
      }
    }
    if (field === 'sku' && score >= 2.5) score = (WEAK_KEYS[name] ?? (name.includes('sku') ? 3.2 : 3)) - (3 - score)
    if ((field === 'quantity' || field === 'cost') && NO_AMOUNT.test(name)) score = 0
    if (score > 0) guesses.push({ field, languages, score })
  }
  return guesses.toSorted((a, b) => b.score - a.score)
}
