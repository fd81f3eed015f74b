import { family } from '../family.ts'
import { areas, centimetres, litres } from '../sizes.ts'
import { t } from '../wording.ts'

/** Outdoor and camping. */
export const CAMPING = family({
  id: 'camping',
  brands: [
    { name: 'Fjellhav', style: 'plain', series: ['Aurora', 'Tinden', 'Skare', 'Vidda'] },
    { name: 'Kivalo', style: 'dash', series: ['Lumi', 'Routa', 'Tuuli', 'Saari'] },
    { name: 'Brackenroe', style: 'brackets', series: ['Heather', 'Tarn', 'Fell', 'Corrie'] },
  ],
  palette: ['forest green', 'olive', 'sand', 'anthracite', 'orange', 'petrol'],
  features: {
    seams: t(
      'Taped seams stay dry even in lasting rain',
      'Verschweißte Nähte, auch bei Dauerregen dicht',
      'Podklejone szwy, szczelne nawet podczas długotrwałego deszczu',
    ),
    vents: t('Large vents with fly mesh', 'Große Lüftungsöffnungen mit Moskitonetz', 'Duże otwory wentylacyjne z moskitierą'),
    pegs: t('Pegs and guy lines included', 'Heringe und Abspannleinen im Lieferumfang', 'Śledzie i odciągi w zestawie'),
    packs: t('Packs down small into its carry bag', 'Kleines Packmaß, Tragebeutel inklusive', 'Niewielki rozmiar po złożeniu, pokrowiec w zestawie'),
    zip: t('Two-way zip that does not snag', 'Leichtgängiger Zwei-Wege-Reißverschluss', 'Dwukierunkowy zamek błyskawiczny, który się nie zacina'),
    wash: t('Machine washable at 30 °C', 'Maschinenwaschbar bei 30 °C', 'Możliwość prania w pralce w temperaturze 30 °C'),
    load: t('Carries up to 120 kg', 'Belastbar bis 120 kg', 'Nośność do 120 kg'),
    toolfree: t('Ready in seconds, no tools needed', 'In Sekunden aufgebaut, ganz ohne Werkzeug', 'Gotowość do użycia w kilka sekund, bez narzędzi'),
    taste: t('Does not affect taste, easy to rinse', 'Geschmacksneutral und leicht zu reinigen', 'Neutralność dla smaku i łatwe czyszczenie'),
    grip: t('Comfortable carry handle', 'Bequemer Tragegriff', 'Wygodny uchwyt do przenoszenia'),
  },
  closings: [
    t(
      'The {series} line by {brand} is made for people who would rather sleep outside.',
      'Die Serie {series} von {brand} ist für alle gemacht, die lieber draußen schlafen.',
      'Linia {series} marki {brand} powstała dla tych, którzy wolą spać pod gołym niebem.',
    ),
    t(
      'Tried out on long weekends in wind and rain.',
      'Erprobt an langen Wochenenden bei Wind und Regen.',
      'Sprawdza się w wietrze i deszczu, weekend po weekendzie.',
    ),
    t(
      '{brand} keeps spare parts in stock for at least five years.',
      '{brand} hält Ersatzteile mindestens fünf Jahre lang vorrätig.',
      'Marka {brand} zapewnia części zamienne przez co najmniej pięć lat.',
    ),
  ],
  articles: [
    {
      id: 'dome-tent', category: 'Outdoor/Tents', gender: 'm', weight: 2.6, cost: [46, 92], materials: ['polyester', 'ripstop nylon'],
      noun: t('2-Person Dome Tent', '2-Personen-Kuppelzelt', 'Namiot kopułowy 2-osobowy'),
      lead: t(
        'A freestanding dome tent for two that goes up in five minutes and shrugs off a night of rain.',
        'Ein freistehendes Kuppelzelt für zwei, das in fünf Minuten steht und auch eine verregnete Nacht übersteht.',
        'Samonośny namiot kopułowy dla dwóch osób, który rozstawisz w pięć minut i w którym przeczekasz deszczową noc.',
      ),
      features: ['seams', 'vents', 'pegs', 'packs'],
      has: { persons: 2, length_cm: 210, width_cm: 145, height_cm: 110, water_column_mm: 3000 },
    },
    {
      id: 'tunnel-tent', category: 'Outdoor/Tents', gender: 'm', weight: 7.8, cost: [118, 210], materials: ['polyester', 'ripstop nylon'],
      noun: t('4-Person Tunnel Tent', '4-Personen-Tunnelzelt', 'Namiot tunelowy 4-osobowy'),
      lead: t(
        'A roomy tunnel tent for families, with standing height and a porch for wet boots.',
        'Ein geräumiges Tunnelzelt für Familien, mit Stehhöhe und einem Vorraum für nasse Stiefel.',
        'Przestronny namiot tunelowy dla rodziny, w którym można stanąć, z przedsionkiem na mokre buty.',
      ),
      features: ['seams', 'vents', 'pegs', 'zip'],
      has: { persons: 4, length_cm: 460, width_cm: 260, height_cm: 195, water_column_mm: 4000 },
    },
    {
      id: 'sleeping-bag', category: 'Outdoor/Sleeping Bags', gender: 'm', weight: 1.4, cost: [24, 68], materials: ['polyester', 'ripstop nylon'],
      noun: t('Mummy Sleeping Bag', 'Mumienschlafsack', 'Śpiwór mumia'), sizes: centimetres(200, 220),
      lead: t(
        'A warm mummy sleeping bag for spring to autumn, with a hood that closes around the face.',
        'Ein warmer Mumienschlafsack für Frühling bis Herbst mit einer Kapuze, die sich ums Gesicht schließen lässt.',
        'Ciepły śpiwór typu mumia na okres od wiosny do jesieni, z kapturem ściąganym wokół twarzy.',
      ),
      features: ['zip', 'packs', 'wash'],
    },
    {
      id: 'sleeping-mat', category: 'Outdoor/Sleeping Mats', gender: 'f', weight: 1.1, cost: [18, 52], materials: ['polyester'],
      noun: t('Self-Inflating Sleeping Mat', 'Selbstaufblasende Isomatte', 'Mata samopompująca'), sizes: areas([55, 190], [65, 200]),
      lead: t(
        'Open the valve, unroll it, done: this mat fills itself and keeps the cold of the ground away.',
        'Ventil öffnen, ausrollen, fertig: Diese Matte füllt sich von selbst und hält die Bodenkälte fern.',
        'Otwórz zawór, rozwiń i gotowe: ta mata napełnia się sama i izoluje od zimnego podłoża.',
      ),
      features: ['packs', 'toolfree'],
    },
    {
      id: 'folding-chair', category: 'Outdoor/Camp Furniture', gender: 'n', weight: 3.1, cost: [14, 38], materials: ['polyester', 'cotton canvas'],
      noun: t('Folding Camp Chair', 'Campingstuhl', 'Krzesło kempingowe'),
      lead: t(
        'A folding chair with wide armrests and a cup holder, for long evenings by the fire.',
        'Ein Faltstuhl mit breiten Armlehnen und Getränkehalter für lange Abende am Lagerfeuer.',
        'Składane krzesło z szerokimi podłokietnikami i uchwytem na kubek, na długie wieczory przy ognisku.',
      ),
      features: ['load', 'packs', 'toolfree'],
      has: { width_cm: 58, height_cm: 92 },
    },
    {
      id: 'camp-table', category: 'Outdoor/Camp Furniture', gender: 'm', weight: 3.6, cost: [26, 54], materials: ['aluminium', 'bamboo'],
      noun: t('Roll-Top Camp Table', 'Camping-Rolltisch', 'Stolik kempingowy zwijany'), colours: ['black', 'silver', 'sand'],
      sizes: areas([55, 70], [70, 110]),
      lead: t(
        'A light table whose top rolls up, with legs that stand firm on uneven ground.',
        'Ein leichter Tisch mit aufrollbarer Platte, der auch auf unebenem Boden sicher steht.',
        'Lekki stolik ze zwijanym blatem, który stoi pewnie nawet na nierównym podłożu.',
      ),
      features: ['packs', 'toolfree', 'grip'],
    },
    {
      id: 'hammock', category: 'Outdoor/Hammocks', gender: 'm', weight: 0.7, cost: [13, 34], materials: ['ripstop nylon', 'cotton canvas'],
      noun: t('Travel Hammock', 'Reisehängematte', 'Hamak turystyczny'), sizes: areas([140, 270], [200, 300]),
      lead: t(
        'A light hammock with tree-friendly straps that hangs between any two trees.',
        'Eine leichte Hängematte mit baumschonenden Gurten, die zwischen zwei beliebigen Bäumen Platz findet.',
        'Lekki hamak z taśmami, które nie uszkadzają kory; zawiesisz go między dwoma dowolnymi drzewami.',
      ),
      features: ['load', 'packs', 'wash'],
    },
    {
      id: 'cookset', category: 'Outdoor/Camp Kitchen', gender: 'm', weight: 0.8, cost: [17, 44], materials: ['aluminium', 'stainless steel'], colours: [],
      noun: t('6-Piece Camp Cook Set', '6-teiliges Camping-Kochset', '6-elementowy zestaw naczyń turystycznych'),
      lead: t(
        'Two pots, a pan and lids that nest in one another and fit any gas stove.',
        'Zwei Töpfe, eine Pfanne und Deckel, die ineinanderpassen und auf jedem Gaskocher sicher stehen.',
        'Dwa garnki, patelnia i pokrywki, które mieszczą się jedne w drugich i pasują do każdej kuchenki gazowej.',
      ),
      features: ['taste', 'packs'],
      has: { pieces: 6, capacity_l: 1.8 },
    },
    {
      id: 'water-canister', category: 'Outdoor/Camp Kitchen', gender: 'm', weight: 0.5, cost: [6, 15], materials: ['polyethylene'],
      noun: t('Water Canister with Tap', 'Wasserkanister mit Hahn', 'Kanister na wodę z kranikiem'), sizes: litres(10, 15, 20),
      colours: ['sky blue', 'sand', 'olive'],
      lead: t(
        'A food-safe canister with a tap that does not drip, for water at the pitch.',
        'Ein lebensmittelechter Kanister mit tropffreiem Hahn für Wasser direkt am Stellplatz.',
        'Kanister do kontaktu z żywnością, z kranikiem, który nie kapie – woda zawsze pod ręką na biwaku.',
      ),
      features: ['taste', 'grip'],
    },
  ],
})
