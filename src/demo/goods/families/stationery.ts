import { family } from '../family.ts'
import { centimetres, named, nibs, packs, sets, widths } from '../sizes.ts'
import { t } from '../wording.ts'

/** Paper, pens and the desk. */
export const STATIONERY = family({
  id: 'stationery',
  brands: [
    { name: 'Papierhof', style: 'plain', series: ['Klassik', 'Atelier', 'Skizze', 'Notiz'] },
    { name: 'Inkwell Lane', style: 'dash', series: ['Quill', 'Folio', 'Margin', 'Draft'] },
    { name: 'Kartonea', style: 'plain', series: ['Mono', 'Pastella', 'Studio', 'Nota'] },
  ],
  palette: ['black', 'navy', 'sage', 'dusty pink', 'mustard', 'light grey', 'burgundy'],
  features: {
    bleed: t('Ink does not bleed through', 'Tinte schlägt nicht durch', 'Atrament nie przebija na drugą stronę'),
    flat: t('Thread-bound, lies flat when open', 'Fadengebunden, bleibt flach aufgeschlagen liegen', 'Szyty grzbiet, leży płasko po otwarciu'),
    ribbon: t('Ribbon marker and elastic band', 'Lesebändchen und Gummiband', 'Tasiemka do zaznaczania stron i gumka'),
    pocket: t('Pocket for loose slips', 'Falttasche für lose Zettel', 'Kieszonka na luźne kartki'),
    refill: t('Takes standard refills', 'Mit Standardminen nachfüllbar', 'Standardowe wkłady wymienne'),
    converter: t('For cartridges and converters', 'Für Patronen und Konverter', 'Na naboje i tłoczek'),
    gift: t('In a gift box', 'In der Geschenkschachtel', 'W pudełku prezentowym'),
    peel: t('Peels off without a trace', 'Rückstandslos ablösbar', 'Odklejanie bez śladów'),
    wood: t('Wood from responsibly managed forests', 'Holz aus verantwortungsvoller Forstwirtschaft', 'Drewno z odpowiedzialnie zarządzanych lasów'),
    break: t('Break-resistant leads', 'Bruchfeste Minen', 'Wkłady odporne na złamanie'),
    spine: t('Label on the spine', 'Rückenschild zum Beschriften', 'Etykieta na grzbiecie'),
    feet: t('Feet that are kind to the desk', 'Füßchen, die den Schreibtisch schonen', 'Nóżki, które nie rysują blatu'),
    hands: t('For right and left hands', 'Für Rechts- und Linkshänder', 'Dla osób prawo- i leworęcznych'),
  },
  closings: [
    t(
      'With {series}, {brand} makes working on paper a pleasure again.',
      'Mit {series} macht {brand} Lust auf die Arbeit mit Papier und Stift.',
      'Dzięki serii {series} marki {brand} praca z papierem i długopisem znów sprawia przyjemność.',
    ),
    t(
      'A small thing that makes the desk a better place, and a welcome gift.',
      'Eine Kleinigkeit, die den Schreibtisch schöner macht, und ein willkommenes Geschenk.',
      'Drobiazg, który uprzyjemnia pracę przy biurku, i mile widziany prezent.',
    ),
    t(
      'For school, studies and the office.',
      'Für Schule, Studium und Büro.',
      'Do szkoły, na studia i do biura.',
    ),
  ],
  articles: [
    {
      id: 'notebook', category: 'Stationery/Notebooks', gender: 'm', weight: 0.28, cost: [4, 11], materials: ['paper', 'recycled paper'],
      noun: t('Dotted Hardcover Notebook', 'Gepunktetes Hardcover-Notizbuch', 'Notatnik w kropki w twardej oprawie'), sizes: named('A6', 'A5', 'A4'),
      has: { sheets: 96 },
      lead: t(
        'Numbered pages and a dot grid fine enough to vanish behind the writing.',
        'Nummerierte Seiten und ein Punktraster, das hinter der Schrift zurücktritt.',
        'Numerowane strony i delikatne kropki, które nie odciągają uwagi od pisma.',
      ),
      features: ['bleed', 'flat', 'ribbon', 'pocket'],
    },
    {
      id: 'weekly-planner', category: 'Stationery/Planners', gender: 'm', weight: 0.35, cost: [5, 12], materials: ['paper', 'recycled paper'],
      noun: t('Undated Weekly Planner', 'Undatierter Wochenplaner', 'Planer tygodniowy bez dat'), sizes: named('A5', 'A4'), has: { sheets: 60 },
      lead: t(
        'One week on every double page; begin whenever you like.',
        'Eine Woche auf jeder Doppelseite; der Einstieg ist jederzeit möglich.',
        'Jeden tydzień na rozkładówce; zaczniesz, kiedy zechcesz.',
      ),
      features: ['bleed', 'flat', 'ribbon'],
    },
    {
      id: 'fountain-pen', category: 'Stationery/Pens', gender: 'n', weight: 0.03, cost: [9, 34], materials: ['aluminium', 'brass', 'ABS plastic'],
      noun: t('Fountain Pen', 'Füllfederhalter', 'Pióro wieczne'), sizes: nibs('F', 'M', 'B'), colours: ['black', 'navy', 'silver', 'copper', 'burgundy'],
      lead: t(
        'A steel nib that glides, and a barrel that lies well balanced in the hand.',
        'Eine Stahlfeder, die leicht gleitet, und ein Schaft, der ausgewogen in der Hand liegt.',
        'Stalówka, która lekko sunie po papierze, i korpus, który dobrze leży w dłoni.',
      ),
      features: ['converter', 'gift'],
    },
    {
      id: 'ballpoints', category: 'Stationery/Pens', gender: 'p', weight: 0.07, cost: [3, 8], materials: ['recycled PET', 'aluminium'],
      noun: t('Ballpoint Pens', 'Kugelschreiber', 'Długopisy'), sizes: packs(5, 10, 20),
      lead: t(
        'Pens that write at the first stroke, even after weeks in a bag.',
        'Kugelschreiber, die beim ersten Strich schreiben, auch nach Wochen in der Tasche.',
        'Długopisy, które piszą od pierwszej kreski, nawet po tygodniach w torbie.',
      ),
      features: ['refill', 'hands'],
    },
    {
      id: 'coloured-pencils', category: 'Stationery/Art Supplies', gender: 'p', weight: 0.09, cost: [3, 8], materials: ['lime'], colours: [],
      noun: t('Coloured Pencils', 'Buntstifte', 'Kredki ołówkowe'), sizes: sets(12, 24, 36),
      lead: t(
        'Soft leads in strong shades that layer and blend well.',
        'Weiche Minen in kräftigen Tönen, die sich gut schichten und mischen lassen.',
        'Miękkie wkłady w nasyconych odcieniach, które łatwo nakładać i mieszać.',
      ),
      features: ['break', 'wood', 'hands'],
    },
    {
      id: 'pencil-case', category: 'Stationery/Pencil Cases', gender: 'm', weight: 0.09, cost: [4, 12], materials: ['cotton canvas', 'felt', 'imitation leather'],
      noun: t('Roll-Up Pencil Case', 'Stifterolle', 'Piórnik zwijany'), has: { length_cm: 21 },
      lead: t(
        'Loops for 24 pens and a flap that keeps them from falling out.',
        'Schlaufen für 24 Stifte und eine Klappe, damit nichts herausfällt.',
        'Szlufki na 24 przybory i klapka, dzięki której nic nie wypada.',
      ),
      features: ['pocket', 'gift'],
    },
    {
      id: 'ring-binder', category: 'Stationery/Filing', gender: 'm', weight: 0.45, cost: [2, 6], materials: ['cardboard', 'polypropylene'],
      noun: t('A4 Lever Arch File', 'A4-Ordner', 'Segregator A4'), sizes: widths(5, 7.5),
      lead: t(
        'A sturdy file with a mechanism that closes true for years.',
        'Ein stabiler Ordner, dessen Mechanik über Jahre sauber schließt.',
        'Solidny segregator z mechanizmem, który przez lata domyka się bez zarzutu.',
      ),
      features: ['spine'],
    },
    {
      id: 'sticky-notes', category: 'Stationery/Notes', gender: 'p', weight: 0.2, cost: [3, 6], materials: ['recycled paper'], colours: ['mustard', 'mint', 'dusty pink', 'sky blue'],
      noun: t('Sticky Notes 76 × 76 mm', 'Haftnotizen 76 × 76 mm', 'Karteczki samoprzylepne 76 × 76 mm'), sizes: packs(6, 12, 24), has: { sheets: 100 },
      lead: t(
        'Notes that stick where they should, on paper, screen and door.',
        'Zettel, die haften, wo sie sollen: auf Papier, Bildschirm und Tür.',
        'Karteczki, które trzymają się tam, gdzie trzeba: na papierze, ekranie i drzwiach.',
      ),
      features: ['peel'],
    },
    {
      id: 'desk-organiser', category: 'Stationery/Desk Accessories', gender: 'm', weight: 0.7, cost: [8, 21], materials: ['bamboo', 'beech', 'powder-coated steel'],
      noun: t('Desk Organiser', 'Schreibtisch-Organizer', 'Organizer na biurko'), sizes: centimetres(20, 30), colours: ['black', 'white', 'sage'],
      lead: t(
        'Pens, clips and slips each get a place of their own.',
        'Stifte, Klammern und Zettel bekommen ihren festen Platz.',
        'Długopisy, spinacze i karteczki mają wreszcie swoje miejsce.',
      ),
      features: ['feet'],
    },
  ],
})
