// What suppliers call their columns, by field and language. Compared in small letters, without anything but letters and digits.

type Names = Readonly<Record<string, string>>

/** Names by language, separated by blanks. */
const NAMES: Readonly<Record<string, Names>> = {
  sku: {
    en: 'sku supplierarticle ordernumber variantsku articlenumber articleno article itemnumber itemno itemid item productcode productid productno partnumber partno code reference ref id',
    de: 'artikelnummer artikelnr artnr bestellnummer bestellnr artikel produktnummer lieferantenartikelnummer',
    pl: 'symbol indeks kod kodproduktu numer nrkatalogowy kodtowaru',
    fr: 'référence codearticle refproduit',
    es: 'referencia codigo código',
    it: 'codice codicearticolo',
    nl: 'artikelnummer artikelcode',
    cs: 'kód kódproduktu katalogovéčíslo',
  },
  ean: {
    en: 'ean eancode ean13 gtin gtin13 upc barcode',
    de: 'eannummer strichcode',
    pl: 'kodean kodkreskowy',
    fr: 'codebarres codeean',
    cs: 'čárovýkód',
  },
  cost: {
    en: 'cost price netprice pricenet pricetaxexcluded priceexcltax pricetaxincluded purchaseprice dealerprice wholesaleprice unitprice buyprice',
    de: 'ek ekpreis einkaufspreis einkaufspreisnetto nettopreis preisnetto händlerpreis preis eknetto preiseur',
    pl: 'cena cenanetto cenazakupu cenahurtowa netto',
    fr: 'prix prixht prixachat tarif',
    es: 'precio precioneto coste',
    it: 'prezzo prezzonetto costo',
    nl: 'prijs inkoopprijs nettoprijs',
    cs: 'cena nákupnícena cenabezdph pricevat',
  },
  currency: {
    en: 'currency currencycode',
    de: 'währung',
    pl: 'waluta',
    fr: 'devise',
    es: 'moneda',
    it: 'valuta',
    cs: 'měna',
  },
  quantity: {
    en: 'quantity qty stock stockquantity stockqty instock available availability inventory onhand',
    de: 'bestand lagerbestand instock menge lager verfügbarkeit verfügbar',
    pl: 'stan stanmagazynowy ilość ilosc dostępność dostepnosc',
    fr: 'quantité stockdisponible disponibilité',
    es: 'cantidad existencias disponibilidad',
    it: 'quantità giacenza disponibilità',
    nl: 'voorraad aantal',
    cs: 'množství skladem dostupnost',
  },
  title: {
    en: 'title name productname itemname producttitle',
    de: 'bezeichnung artikelbezeichnung titel produktname artikelname kurztext',
    pl: 'nazwa nazwaproduktu tytuł',
    fr: 'nom désignation designation libellé titre',
    es: 'nombre título',
    it: 'nome titolo descrizionebreve',
    nl: 'naam omschrijving titel',
    cs: 'název názevproduktu',
  },
  description: {
    en: 'description longdescription text bodyhtml',
    de: 'beschreibung langtext artikelbeschreibung',
    pl: 'opis opisproduktu',
    fr: 'description descriptif',
    es: 'descripción',
    it: 'descrizione',
    nl: 'beschrijving',
    cs: 'popis',
  },
  manufacturer: {
    en: 'manufacturer brand brandname vendor maker',
    de: 'hersteller marke',
    pl: 'producent marka',
    fr: 'fabricant marque',
    es: 'fabricante marca',
    it: 'produttore marca',
    nl: 'fabrikant merk',
    cs: 'výrobce značka',
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
}

/** What a column may be by its name: a field, the language of the name, and how well it fits. */
export interface NameGuess {
  field: string
  languages: readonly string[]
  score: number
}

/** Names that mean something else within longer ones, such as `item group id` and `Umsatz netto`. */
const WHOLE_ONLY = new Set('netto group article artikel numer menge aantal stock'.split(' '))
/** What makes a price another one than the merchant's, and a quantity another than the stock. */
const OTHER_AMOUNT =
  /umsatz|uvp|brutto|verkauf|show|pseudo|compare|old|alt|rabatt|discount|msrp|rrp|min|max|group|tax(?!ex)|grund|base|unit(?!price)/

/** Whether a known name is a part of a longer one, with its meaning. */
function isPart(known: string, name: string, field: string): boolean {
  if (known.length <= 4 || WHOLE_ONLY.has(known) || !name.includes(known)) return false
  return (field !== 'cost' && field !== 'quantity') || !OTHER_AMOUNT.test(name.replace(known, ''))
}

const simplified = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The fields that a column may be by its name, the best first. A number at its end, as in `Image 2`, does not count. */
export function guessByName(column: string): NameGuess[] {
  const own = guessBySimplified(simplified(column.split('.').findLast((part) => part.trim() !== '') ?? column))
  return own.length > 0 ? own : guessBySimplified(simplified(column))
}

function guessBySimplified(name: string): NameGuess[] {
  const bare = name.length > 4 ? name.replace(/\d{1,2}$/, '') : name
  const guesses: NameGuess[] = []
  for (const [field, byLanguage] of Object.entries(NAMES)) {
    let score = 0
    let languages: string[] = []
    for (const [language, names] of Object.entries(byLanguage)) {
      for (const known of names.split(' ')) {
        const fit = known === name ? 3 : known === bare ? 2.5 : isPart(known, bare, field) ? 1 + known.length / 50 : 0
        if (fit > score) [score, languages] = [fit, [language]]
        else if (fit === score && fit > 0) languages.push(language)
      }
    }
    if (score > 0) guesses.push({ field, languages, score })
  }
  return guesses.toSorted((a, b) => b.score - a.score)
}
