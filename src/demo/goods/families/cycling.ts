import { family } from '../family.ts'
import { centimetres, inches, litres, lux, named } from '../sizes.ts'
import { t } from '../wording.ts'

/** Bicycle parts and accessories. */
export const CYCLING = family({
  id: 'cycling',
  brands: [
    { name: 'Radwiese', style: 'plain', series: ['City', 'Tour', 'Gravel', 'Alpin'] },
    { name: 'Veloska', style: 'plain', series: ['Rapid', 'Alto', 'Gira', 'Sprint'] },
    { name: 'Pedalmor', style: 'brackets', series: ['Vale', 'Dash', 'Pace', 'Summit'] },
  ],
  palette: ['black', 'white', 'red', 'petrol', 'olive', 'orange'],
  features: {
    usb: t('Charges through USB-C', 'Aufladbar über USB-C', 'Ładowanie przez USB-C'),
    rain: t('Works in the rain', 'Auch bei Regen zuverlässig', 'Niezawodność także w deszczu'),
    reflect: t('Reflective details for the dark', 'Reflektierende Details für die Dunkelheit', 'Elementy odblaskowe na ciemne dni'),
    fit: t('Adjusts without tools', 'Ohne Werkzeug verstellbar', 'Regulacja bez narzędzi'),
    mount: t('Fits in a minute, all parts included', 'In einer Minute montiert, alle Teile inklusive', 'Montaż w minutę, wszystkie elementy w zestawie'),
    vents: t('Many vents for a cool head', 'Viele Lüftungsöffnungen für einen kühlen Kopf', 'Liczne otwory wentylacyjne'),
    bpa: t('Free of BPA and neutral in taste', 'BPA-frei und geschmacksneutral', 'Bez BPA, neutralny smak'),
    keys: t('Three keys included', 'Drei Schlüssel im Lieferumfang', 'Trzy klucze w zestawie'),
    valves: t('For all common valves', 'Für alle gängigen Ventile', 'Do wszystkich popularnych zaworów'),
    touch: t('Fingertips that work touchscreens', 'Touchscreenfähige Fingerspitzen', 'Opuszki umożliwiające obsługę ekranów dotykowych'),
  },
  closings: [
    t(
      'From the {series} range by {brand}, for the way to work as much as for the long tour.',
      'Aus der Reihe {series} von {brand}, für den Arbeitsweg ebenso wie für die lange Tour.',
      'Z serii {series} marki {brand}, na drogę do pracy i na długą wyprawę.',
    ),
    t(
      'Thought out by people who ride in every weather.',
      'Entwickelt von Menschen, die bei jedem Wetter fahren.',
      'Projekt ludzi, którzy jeżdżą przy każdej pogodzie.',
    ),
    t(
      'Little weight, long life, no fuss.',
      'Wenig Gewicht, lange Lebensdauer, einfache Handhabung.',
      'Niewielka waga, długa żywotność, prosta obsługa.',
    ),
  ],
  articles: [
    {
      id: 'helmet', category: 'Cycling/Helmets', gender: 'm', weight: 0.31, cost: [18, 54], materials: ['EPS foam'],
      noun: t('Bike Helmet', 'Fahrradhelm', 'Kask rowerowy'), sizes: named('S', 'M', 'L'),
      lead: t(
        'A light helmet with a dial at the back that fits it to the head within seconds.',
        'Ein leichter Helm, der sich über das Drehrad am Hinterkopf in Sekunden anpassen lässt.',
        'Lekki kask z pokrętłem z tyłu, dzięki któremu dopasujesz go do głowy w kilka sekund.',
      ),
      features: ['vents', 'fit', 'reflect'],
    },
    {
      id: 'front-light', category: 'Cycling/Lights', gender: 'f', weight: 0.12, cost: [13, 36], materials: ['aluminium', 'ABS plastic'], colours: [],
      noun: t('Front Bike Light', 'Fahrrad-Frontlicht', 'Lampka rowerowa przednia'), sizes: lux(50, 80, 100),
      lead: t(
        'A front light with a clear cut-off that lights the road and does not blind anyone.',
        'Ein Frontlicht mit klarer Hell-Dunkel-Grenze, das den Weg ausleuchtet und niemanden blendet.',
        'Przednia lampka z wyraźną granicą światła, która oświetla drogę i nikogo nie oślepia.',
      ),
      features: ['usb', 'rain', 'mount'],
    },
    {
      id: 'pannier', category: 'Cycling/Bags', gender: 'f', weight: 0.9, cost: [21, 46], materials: ['PVC', 'recycled PET'],
      noun: t('Waterproof Pannier', 'Wasserdichte Gepäckträgertasche', 'Wodoszczelna sakwa rowerowa'), sizes: litres(15, 20, 25),
      lead: t(
        'Rolls shut, hooks onto the rack with one hand and comes along into the office.',
        'Rollt sich wasserdicht zu, hängt mit einem Griff am Gepäckträger und kommt mit ins Büro.',
        'Zwijane zamknięcie, montaż na bagażniku jednym ruchem i pasek, by zabrać ją do biura.',
      ),
      features: ['reflect', 'fit', 'rain'],
    },
    {
      id: 'bottle', category: 'Cycling/Bottles', gender: 'm', weight: 0.09, cost: [3, 9], materials: ['polyethylene', 'polypropylene'],
      noun: t('Cycling Bottle', 'Fahrradtrinkflasche', 'Bidon rowerowy'), sizes: litres(0.5, 0.75, 1),
      lead: t(
        'A soft bottle with a valve that opens with the teeth and never leaks in the bag.',
        'Eine weiche Flasche, deren Ventil sich mit den Zähnen öffnen lässt und in der Tasche dicht bleibt.',
        'Miękki bidon z zaworem, który otworzysz zębami i który nie przecieka w torbie.',
      ),
      features: ['bpa'],
    },
    {
      id: 'floor-pump', category: 'Cycling/Pumps', gender: 'f', weight: 1.3, cost: [13, 31], materials: ['powder-coated steel', 'aluminium'],
      noun: t('Floor Pump with Gauge', 'Standpumpe mit Manometer', 'Pompka podłogowa z manometrem'), has: { height_cm: 64 },
      lead: t(
        'Full pressure up to 11 bar with few strokes, and a gauge that can be read standing up.',
        'Mit wenigen Hüben auf bis zu 11 bar, dazu ein Manometer, das sich im Stehen ablesen lässt.',
        'Ciśnienie do 11 barów po kilku ruchach i manometr, który odczytasz na stojąco.',
      ),
      features: ['valves'],
    },
    {
      id: 'folding-lock', category: 'Cycling/Locks', gender: 'n', weight: 1.1, cost: [17, 42], materials: ['carbon steel'],
      noun: t('Folding Lock', 'Faltschloss', 'Zapięcie składane'), sizes: centimetres(80, 90, 100), colours: ['black', 'orange', 'white'],
      lead: t(
        'Six hardened links that fold down to the size of a water bottle.',
        'Sechs gehärtete Glieder, die sich auf die Größe einer Trinkflasche zusammenfalten lassen.',
        'Sześć hartowanych ogniw, które po złożeniu są nie większe niż bidon.',
      ),
      features: ['keys', 'mount'],
    },
    {
      id: 'gloves', category: 'Cycling/Clothing', gender: 'p', weight: 0.08, cost: [8, 22], materials: ['polyester', 'fleece'],
      noun: t('Long-Finger Cycling Gloves', 'Langfinger-Radhandschuhe', 'Rękawiczki rowerowe z długimi palcami'), sizes: named('S', 'M', 'L', 'XL'),
      lead: t(
        'Warm enough for autumn, thin enough to feel the brakes.',
        'Warm genug für den Herbst, dünn genug für Gefühl an der Bremse.',
        'Wystarczająco ciepłe na jesień, a na tyle cienkie, by dobrze czuć hamulce.',
      ),
      features: ['touch', 'reflect'],
    },
    {
      id: 'saddle', category: 'Cycling/Saddles', gender: 'n', weight: 0.42, cost: [16, 44], materials: ['imitation leather', 'leather'],
      noun: t('Gel Touring Saddle', 'Gel-Tourensattel', 'Siodełko turystyczne żelowe'), colours: ['black', 'brown'], has: { length_cm: 26, width_cm: 17 },
      lead: t(
        'Soft where one sits and open in the middle, for whole days on the bike.',
        'Weich, wo man sitzt, und mit Aussparung in der Mitte, für ganze Tage im Sattel.',
        'Miękkie tam, gdzie trzeba, z otworem pośrodku – na całe dni w siodle.',
      ),
      features: ['mount'],
    },
    {
      id: 'mudguards', category: 'Cycling/Mudguards', gender: 'm', weight: 0.6, cost: [11, 24], materials: ['polycarbonate', 'polypropylene'],
      noun: t('Mudguard Set', 'Schutzblech-Set', 'Komplet błotników'), sizes: inches(26, 28, 29), colours: ['black', 'silver', 'white'],
      lead: t(
        'Front and rear, with stays of stainless steel and a flap that keeps shoes dry.',
        'Für vorn und hinten, mit Edelstahlstreben und einem Spritzlappen, der die Schuhe trocken hält.',
        'Na przód i na tył, z drążkami ze stali nierdzewnej i chlapaczem, dzięki któremu buty pozostają suche.',
      ),
      features: ['mount'],
    },
  ],
})
