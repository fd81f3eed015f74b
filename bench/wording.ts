// Texts of the filled products. There are sixteen of each kind, because four bits of a hash select one.

type Locale = 'de' | 'en' | 'pl'

export const NOUNS = listed({
  de: 'Akkuschrauber, Gartenschlauch, Werkzeugkoffer, Arbeitsleuchte, Schubkarre, Kettensäge, Leiter, Spaten, Messer, Regal, Pumpe, Handschuh, Pinsel, Wasserwaage, Kabeltrommel, Schraubstock',
  en: 'Cordless drill, Garden hose, Tool case, Work light, Wheelbarrow, Chainsaw, Ladder, Spade, Knife, Shelf, Pump, Glove, Brush, Spirit level, Cable reel, Vice',
  pl: 'Wkrętarka, Wąż ogrodowy, Skrzynka, Lampa robocza, Taczka, Piła łańcuchowa, Drabina, Szpadel, Nóż, Regał, Pompa, Rękawica, Pędzel, Poziomica, Przedłużacz, Imadło',
})

export const ADJECTIVES = listed({
  de: 'rot, blau, schwer, leicht, kompakt, robust, klappbar, verzinkt, wasserdicht, lang, kurz, grün, schwarz, leise, stark, gefedert',
  en: 'red, blue, heavy, light, compact, rugged, folding, galvanised, waterproof, long, short, green, black, quiet, strong, sprung',
  pl: 'czerwony, niebieski, ciężki, lekki, kompaktowy, solidny, składany, ocynkowany, wodoodporny, długi, krótki, zielony, czarny, cichy, mocny, sprężysty',
})

export const SENTENCES: Readonly<Record<Locale, string[]>> = {
  de: sixteen(
    [
      'Für den täglichen Einsatz auf der Baustelle und in der Werkstatt gebaut.',
      'Der Griff liegt auch mit Handschuhen sicher in der Hand.',
      'Lieferung mit Anleitung, Ersatzteilen und stabilem Koffer.',
      'Geprüft nach den strengen Maßstäben des Herstellers.',
    ],
    'Baureihe',
  ),
  en: sixteen(
    [
      'Built for everyday use on site and in the workshop.',
      'The grip sits safely in the hand, even with gloves on.',
      'Comes with instructions, spare parts and a sturdy case.',
      'Tested to the exacting standards of its manufacturer.',
    ],
    'Series',
  ),
  pl: sixteen(
    [
      'Stworzony do codziennej pracy na budowie i w warsztacie.',
      'Uchwyt pewnie leży w dłoni, także w rękawicach.',
      'W zestawie instrukcja, części zamienne i solidna walizka.',
      'Sprawdzony według surowych norm producenta.',
    ],
    'Seria',
  ),
}

function sixteen(sentences: readonly string[], series: string): string[] {
  return Array.from({ length: 16 }, (_, i) => `${sentences[i % sentences.length]} ${series} ${1_000 + i * 37}.`)
}

function listed(texts: Readonly<Record<Locale, string>>): Readonly<Record<Locale, string[]>> {
  return { de: texts.de.split(', '), en: texts.en.split(', '), pl: texts.pl.split(', ') }
}
