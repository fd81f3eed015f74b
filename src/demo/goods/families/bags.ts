import { family } from '../family.ts'
import { areas, heights, inches, litres, sets } from '../sizes.ts'
import { t } from '../wording.ts'

/** Bags, luggage and small leather goods. */
export const BAGS = family({
  id: 'bags',
  brands: [
    { name: 'Tornholm', style: 'plain', series: ['Pendel', 'Reise', 'Kontor', 'Hafen'] },
    { name: 'Marrowgate', style: 'dash', series: ['Borough', 'Mews', 'Wharf', 'Arcade'] },
    { name: 'Solvana', style: 'plain', series: ['Brisa', 'Costa', 'Luna', 'Sierra'] },
  ],
  palette: ['black', 'navy', 'anthracite', 'olive', 'sand', 'burgundy', 'mustard'],
  features: {
    rain: t('Water-repellent outside', 'Wasserabweisende Außenseite', 'Powierzchnia odporna na wodę'),
    laptop: t('Padded compartment for a 15-inch laptop', 'Gepolstertes Fach für einen 15-Zoll-Laptop', 'Wyściełana przegroda na laptopa 15 cali'),
    straps: t('Padded, adjustable shoulder straps', 'Gepolsterte, verstellbare Schultergurte', 'Wyściełane, regulowane paski naramienne'),
    shoulder: t('Adjustable, removable shoulder strap', 'Verstellbarer, abnehmbarer Schultergurt', 'Regulowany, odpinany pasek na ramię'),
    wheels: t('Four quiet wheels that turn all the way round', 'Vier leise, um 360 Grad drehbare Rollen', 'Cztery ciche kółka obracane o 360 stopni'),
    lock: t('Three-digit combination lock', 'Dreistelliges Zahlenschloss', 'Trzycyfrowy zamek szyfrowy'),
    pockets: t('Inside pockets for keys and phone', 'Innenfächer für Schlüssel und Telefon', 'Wewnętrzne kieszenie na klucze i telefon'),
    rfid: t('RFID protection for cards', 'RFID-Schutz für Karten', 'Ochrona kart przed odczytem RFID'),
    zips: t('Sturdy zips with large pulls', 'Robuste Reißverschlüsse mit großen Schiebern', 'Solidne zamki błyskawiczne z dużymi uchwytami'),
    seams: t('Double-stitched where it carries the load', 'Doppelt vernähte Belastungspunkte', 'Podwójne szwy w miejscach narażonych na obciążenia'),
  },
  closings: [
    t(
      'A model of the {series} series, with which {brand} makes daily journeys a little easier.',
      'Ein Modell der Serie {series}, mit der {brand} tägliche Wege ein wenig leichter macht.',
      'Model z serii {series}, w której marka {brand} stawia na wygodę w codziennej drodze.',
    ),
    t(
      'Grows more handsome the longer it travels with you.',
      'Wird mit jeder Reise ein wenig schöner.',
      'Z każdą podróżą zyskuje na urodzie.',
    ),
    t(
      'At home in the office, on the train and at the weekend.',
      'Im Büro, im Zug und am Wochenende zu Hause.',
      'Na co dzień do biura, w podróż pociągiem i na weekend.',
    ),
  ],
  articles: [
    {
      id: 'backpack', category: 'Bags/Backpacks', gender: 'm', weight: 0.8, cost: [19, 48], materials: ['recycled PET', 'polyester', 'cotton canvas'],
      noun: t('City Backpack', 'City-Rucksack', 'Plecak miejski'), sizes: litres(18, 24, 30),
      lead: t(
        'An everyday backpack with clear compartments and a back panel that lets air through.',
        'Ein Alltagsrucksack mit übersichtlichen Fächern und einem Rücken, der Luft durchlässt.',
        'Plecak na co dzień z wygodnym podziałem na przegrody i przewiewnymi plecami.',
      ),
      features: ['laptop', 'straps', 'rain'],
    },
    {
      id: 'messenger', category: 'Bags/Shoulder Bags', gender: 'f', weight: 0.7, cost: [17, 43], materials: ['cotton canvas', 'recycled PET', 'imitation leather'],
      noun: t('Messenger Bag', 'Umhängetasche', 'Torba na ramię'), has: { capacity_l: 12, width_cm: 38, height_cm: 29 },
      lead: t(
        'A shoulder bag with a wide flap that opens with one hand.',
        'Eine Umhängetasche mit breitem Überschlag, der sich mit einer Hand öffnen lässt.',
        'Torba na ramię z szeroką klapą, którą otworzysz jedną ręką.',
      ),
      features: ['laptop', 'shoulder', 'pockets'],
    },
    {
      id: 'duffel', category: 'Bags/Travel Bags', gender: 'f', weight: 1.1, cost: [23, 52], materials: ['recycled PET', 'ripstop nylon', 'polyester'],
      noun: t('Travel Duffel', 'Reisetasche', 'Torba podróżna'), sizes: litres(35, 55, 75),
      lead: t(
        'A travel bag that takes more than it shows and folds flat once it is empty.',
        'Eine Reisetasche, in die mehr passt, als man ihr ansieht, und die sich leer flach zusammenlegen lässt.',
        'Torba podróżna, która mieści więcej, niż się wydaje, a pusta składa się na płasko.',
      ),
      features: ['rain', 'shoulder', 'zips', 'seams'],
    },
    {
      id: 'suitcase', category: 'Bags/Suitcases', gender: 'f', weight: 2.4, cost: [34, 66], materials: ['polycarbonate', 'polypropylene', 'ABS plastic'],
      noun: t('Hard-Shell Suitcase', 'Hartschalenkoffer', 'Walizka na kółkach'), sizes: heights(55, 67, 77),
      lead: t(
        'A light suitcase with a scratch-resistant shell and a pull handle that does not rattle.',
        'Ein leichter Koffer mit kratzfester Schale und einem Teleskopgriff, der nicht klappert.',
        'Lekka walizka z odporną na zarysowania skorupą i stabilnym wysuwanym uchwytem.',
      ),
      features: ['wheels', 'lock', 'pockets'],
    },
    {
      id: 'tote', category: 'Bags/Shopping Bags', gender: 'f', weight: 0.3, cost: [5, 16], materials: ['cotton canvas', 'organic cotton', 'jute'],
      noun: t('Tote Bag', 'Einkaufstasche', 'Torba na zakupy'), has: { capacity_l: 15, width_cm: 40, height_cm: 38 },
      colours: ['natural', 'navy', 'olive', 'terracotta', 'mustard', 'black'],
      lead: t(
        'A sturdy bag with long handles for the market, the library or the beach.',
        'Eine robuste Tasche mit langen Henkeln für Markt, Bibliothek oder Strand.',
        'Mocna torba z długimi uchwytami na targ, do biblioteki lub na plażę.',
      ),
      features: ['seams', 'pockets'],
    },
    {
      id: 'laptop-sleeve', category: 'Bags/Laptop Sleeves', gender: 'n', weight: 0.22, cost: [8, 21], materials: ['felt', 'recycled PET', 'imitation leather'],
      noun: t('Laptop Sleeve', 'Laptophülle', 'Etui na laptopa'), sizes: inches(13, 14, 16),
      lead: t(
        'A close-fitting sleeve that keeps scratches and knocks off the laptop.',
        'Eine eng anliegende Hülle, die Kratzer und Stöße vom Laptop fernhält.',
        'Dopasowane etui, które chroni laptopa przed zarysowaniami i uderzeniami.',
      ),
      features: ['zips', 'rain'],
    },
    {
      id: 'wallet', category: 'Bags/Wallets', gender: 'm', weight: 0.11, cost: [9, 27], materials: ['leather', 'imitation leather'],
      noun: t('Slim Wallet', 'Mini-Geldbörse', 'Cienki portfel'), colours: ['black', 'brown', 'navy', 'burgundy', 'forest green'],
      has: { width_cm: 10, height_cm: 8 },
      lead: t(
        'Room for eight cards, notes and coins, and still flat in the trouser pocket.',
        'Platz für acht Karten, Scheine und Münzen und trotzdem flach in der Hosentasche.',
        'Miejsce na osiem kart, banknoty i monety, a mimo to płaski w kieszeni spodni.',
      ),
      features: ['rfid', 'seams'],
    },
    {
      id: 'packing-cubes', category: 'Bags/Travel Accessories', gender: 'p', weight: 0.3, cost: [8, 17], materials: ['recycled PET', 'ripstop nylon'],
      noun: t('Packing Cubes', 'Packtaschen', 'Organizery do walizki'), sizes: sets(3, 5, 7),
      lead: t(
        'Order in the suitcase: the mesh shows what is inside before you open it.',
        'Ordnung im Koffer: Das Netz zeigt, was drin ist, bevor man es öffnet.',
        'Porządek w walizce: dzięki siatce widać zawartość bez otwierania.',
      ),
      features: ['zips', 'rain'],
    },
    {
      id: 'toiletry-bag', category: 'Bags/Travel Accessories', gender: 'f', weight: 0.25, cost: [7, 19], materials: ['polyester', 'cotton canvas', 'recycled PET'],
      noun: t('Hanging Toiletry Bag', 'Kulturbeutel zum Aufhängen', 'Kosmetyczka podróżna'), sizes: areas([24, 18], [30, 22]),
      lead: t(
        'Unfold it, hang it on the hook, and everything is in sight.',
        'Aufklappen, an den Haken hängen, und alles ist im Blick.',
        'Wystarczy rozłożyć, powiesić na haczyku i wszystko jest w zasięgu wzroku.',
      ),
      features: ['rain', 'zips', 'pockets'],
    },
  ],
})
