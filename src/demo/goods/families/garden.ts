import { family } from '../family.ts'
import { areas, centimetres, diameters, litres, metres, named } from '../sizes.ts'
import { t } from '../wording.ts'

/** Garden and balcony. */
export const GARDEN = family({
  id: 'garden',
  brands: [
    { name: 'Gartenruh', style: 'plain', series: ['Salvia', 'Viola', 'Malva', 'Linaria'] },
    { name: 'Ogrodowo', style: 'plain', series: ['Malwa', 'Lipa', 'Jaśmin', 'Wrzos'] },
    { name: 'Mossendale', style: 'dash', series: ['Fern', 'Thistle', 'Hazel', 'Bramble'] },
  ],
  palette: ['anthracite', 'forest green', 'terracotta', 'sage', 'cream'],
  features: {
    frost: t('Withstands frost', 'Frostbeständig', 'Mrozoodporność'),
    uv: t('Does not fade in the sun', 'UV-beständig', 'Odporność na promieniowanie UV'),
    rust: t('Does not rust', 'Rostfrei', 'Odporność na rdzę'),
    drain: t('Drainage hole with a plug', 'Abflussloch mit Stopfen', 'Otwór odpływowy z zatyczką'),
    grip: t('Handle that is kind to the wrist', 'Griff, der das Handgelenk schont', 'Uchwyt, który nie obciąża nadgarstka'),
    lock: t('One-handed safety catch', 'Einhandverriegelung', 'Blokada obsługiwana jedną ręką'),
    rose: t('Removable rose', 'Abnehmbare Brause', 'Zdejmowane sitko'),
    fittings: t('Fittings and spray nozzle included', 'Armaturen und Spritzdüse im Lieferumfang', 'Złączki i pistolet zraszający w zestawie'),
    wash: t('Machine washable at 30 °C', 'Maschinenwaschbar bei 30 °C', 'Możliwość prania w 30 °C'),
    easy: t('Goes together without tools', 'Aufbau ohne Werkzeug', 'Montaż bez narzędzi'),
  },
  closings: [
    t(
      'The {series} series by {brand} stands for gardening without haste.',
      'Die Serie {series} von {brand} steht für Gärtnern ohne Eile.',
      'Seria {series} marki {brand} to ogrodnictwo bez pośpiechu.',
    ),
    t(
      'Feels as much at home on the balcony as in the big garden.',
      'Auf dem Balkon genauso zu Hause wie im großen Garten.',
      'Na balkon i do dużego ogrodu.',
    ),
    t(
      'Made to last for many seasons.',
      'Gemacht für viele Gartenjahre.',
      'Jakość na wiele sezonów.',
    ),
  ],
  articles: [
    {
      id: 'watering-can', category: 'Garden/Watering', gender: 'f', weight: 0.7, cost: [7, 21], materials: ['galvanised steel', 'polypropylene'],
      noun: t('Watering Can', 'Gießkanne', 'Konewka'), sizes: litres(5, 8, 10),
      lead: t(
        'A can with a long spout that reaches the last row without a drip on the way.',
        'Eine Kanne mit langer Tülle, die bis in die letzte Reihe reicht, ohne unterwegs zu tropfen.',
        'Konewka z długim dzióbkiem, która sięga do ostatniego rzędu i po drodze nie kapie.',
      ),
      features: ['rose', 'grip', 'uv'],
    },
    {
      id: 'secateurs', category: 'Garden/Cutting Tools', gender: 'm', weight: 0.24, cost: [9, 27], materials: ['carbon steel', 'stainless steel'], colours: ['red', 'black', 'forest green'],
      noun: t('Bypass Secateurs', 'Bypass-Gartenschere', 'Sekator nożycowy'), sizes: centimetres(18, 21),
      lead: t(
        'A clean cut through branches up to two centimetres thick that heals quickly.',
        'Ein sauberer Schnitt durch bis zu zwei Zentimeter dicke Zweige, der schnell verheilt.',
        'Czyste cięcie gałęzi o grubości do dwóch centymetrów, które szybko się goi.',
      ),
      features: ['lock', 'grip'],
    },
    {
      id: 'planter', category: 'Garden/Planters', gender: 'f', weight: 1.8, cost: [6, 19], materials: ['terracotta', 'recycled PET', 'polypropylene'],
      noun: t('Planter', 'Pflanzkübel', 'Donica'), sizes: diameters(25, 35, 45),
      lead: t(
        'A planter with clear lines for herbs, shrubs and small trees.',
        'Ein Pflanzkübel mit klaren Linien für Kräuter, Sträucher und kleine Bäume.',
        'Donica o prostej linii do ziół, krzewów i niewielkich drzewek.',
      ),
      features: ['frost', 'uv', 'drain'],
    },
    {
      id: 'hose', category: 'Garden/Watering', gender: 'm', weight: 2.1, cost: [12, 24], materials: ['PVC', 'natural rubber'], colours: [],
      noun: t('Garden Hose', 'Gartenschlauch', 'Wąż ogrodowy'), sizes: metres(15, 25, 50),
      lead: t(
        'A supple hose that does not kink and does not twist.',
        'Ein geschmeidiger Schlauch, der weder knickt noch sich verdreht.',
        'Elastyczny wąż, który się nie załamuje i nie skręca.',
      ),
      features: ['fittings', 'uv', 'frost'],
    },
    {
      id: 'garden-gloves', category: 'Garden/Clothing', gender: 'p', weight: 0.07, cost: [3, 9], materials: ['cotton', 'latex', 'leather'], colours: ['sage', 'terracotta', 'navy'],
      noun: t('Gardening Gloves', 'Gartenhandschuhe', 'Rękawice ogrodowe'), sizes: named('S', 'M', 'L'),
      lead: t(
        'Thin enough for seedlings, strong enough for roses.',
        'Dünn genug für Setzlinge, fest genug für Rosen.',
        'Wystarczająco cienkie do sadzonek, wystarczająco mocne do róż.',
      ),
      features: ['wash'],
    },
    {
      id: 'rake', category: 'Garden/Hand Tools', gender: 'p', weight: 0.9, cost: [8, 18], materials: ['carbon steel', 'bamboo'], colours: [],
      noun: t('Leaf Rake', 'Laubrechen', 'Grabie do liści'), sizes: centimetres(140, 160),
      lead: t(
        'Springy tines gather leaves and leave the lawn unharmed.',
        'Federnde Zinken sammeln das Laub und schonen den Rasen.',
        'Sprężyste zęby zbierają liście i nie niszczą trawnika.',
      ),
      features: ['grip', 'rust'],
    },
    {
      id: 'raised-bed', category: 'Garden/Planters', gender: 'm', weight: 9.5, cost: [34, 62], materials: ['galvanised steel', 'larch'], colours: ['anthracite', 'forest green', 'brown'],
      noun: t('Raised Bed', 'Hochbeet', 'Warzywnik podwyższony'), sizes: areas([60, 90], [80, 120], [80, 180]), has: { height_cm: 60 },
      lead: t(
        'Vegetables at a height the back will be grateful for.',
        'Gemüse in einer Höhe, für die der Rücken dankbar ist.',
        'Warzywa na wysokości, za którą podziękują Ci plecy.',
      ),
      features: ['easy', 'frost'],
    },
    {
      id: 'bird-feeder', category: 'Garden/Wildlife', gender: 'm', weight: 0.8, cost: [8, 22], materials: ['larch', 'powder-coated steel'], colours: ['brown', 'anthracite', 'forest green'],
      noun: t('Hanging Bird Feeder', 'Vogelfutterhaus zum Aufhängen', 'Wiszący karmnik dla ptaków'), has: { height_cm: 26, capacity_l: 1.5 },
      lead: t(
        'A dry table for tits and robins, easy to fill and to clean.',
        'Ein trockener Futterplatz für Meisen und Rotkehlchen, leicht zu füllen und zu reinigen.',
        'Suche miejsce do karmienia sikorek i rudzików, łatwe do napełniania i czyszczenia.',
      ),
      features: ['frost', 'easy'],
    },
    {
      id: 'kneeler', category: 'Garden/Accessories', gender: 'f', weight: 0.2, cost: [4, 10], materials: ['EVA foam'], colours: ['forest green', 'navy', 'red'],
      noun: t('Kneeling Mat', 'Kniekissen', 'Mata do klęczenia'), sizes: areas([40, 20], [50, 28]),
      lead: t(
        'Keeps knees soft and dry when the weeding takes longer.',
        'Hält die Knie weich und trocken, wenn das Jäten länger dauert.',
        'Miękka i sucha ochrona kolan, gdy pielenie trwa dłużej.',
      ),
      features: ['uv'],
    },
  ],
})
