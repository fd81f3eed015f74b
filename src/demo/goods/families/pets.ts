import { family } from '../family.ts'
import { areas, centimetres, heights, litres, metres, named } from '../sizes.ts'
import { t } from '../wording.ts'

/** For dogs and cats. */
export const PETS = family({
  id: 'pets',
  brands: [
    { name: 'Pfotenhof', style: 'plain', series: ['Bello', 'Rocky', 'Minka', 'Emil'] },
    { name: 'Merdanek', style: 'plain', series: ['Azor', 'Reks', 'Mruczek', 'Figa'] },
    { name: 'Whiskerdown', style: 'brackets', series: ['Scout', 'Biscuit', 'Pepper', 'Willow'] },
  ],
  palette: ['light grey', 'anthracite', 'brown', 'petrol', 'red', 'sand'],
  features: {
    cover: t('Removable cover, washable at 40 °C', 'Abnehmbarer Bezug, bei 40 °C waschbar', 'Zdejmowany pokrowiec, pranie w 40 °C'),
    slip: t('Non-slip base', 'Rutschfeste Unterseite', 'Antypoślizgowy spód'),
    dishwasher: t('Dishwasher safe', 'Spülmaschinengeeignet', 'Możliwość mycia w zmywarce'),
    reflect: t('Reflective stitching', 'Reflektierende Nähte', 'Odblaskowe przeszycia'),
    buckle: t('Buckle with a safety catch', 'Verschluss mit Sicherung', 'Klamra z zabezpieczeniem'),
    teeth: t('Kind to teeth', 'Schonend für die Zähne', 'Nie uszkadza zębów'),
    air: t('Well ventilated on all sides', 'Rundum gut belüftet', 'Dobra wentylacja z każdej strony'),
    clean: t('Easy to wipe clean', 'Leicht abwischbar', 'Łatwe czyszczenie na mokro'),
    stable: t('Heavy base plate, does not wobble', 'Schwere Bodenplatte, wackelt nicht', 'Ciężka podstawa, która się nie chwieje'),
    quiet: t('Whisper-quiet pump', 'Flüsterleise Pumpe', 'Bardzo cicha pompka'),
    padded: t('Soft padding', 'Weich gepolstert', 'Miękka wyściółka'),
  },
  closings: [
    t(
      'At {brand} the four-legged testers have the last word on {series}.',
      'Bei {brand} haben über {series} die Vierbeiner das letzte Wort.',
      'W firmie {brand} ostatnie słowo o serii {series} mają czworonożni testerzy.',
    ),
    t(
      'For puppies, kittens and dignified old friends.',
      'Für Welpen, Kätzchen und würdige alte Freunde.',
      'Dla szczeniąt, kociąt i dostojnych seniorów.',
    ),
    t(
      'Sturdy enough for daily play and easy to keep clean.',
      'Robust genug fürs tägliche Toben und leicht sauber zu halten.',
      'Solidne wykonanie na co dzień i łatwe utrzymanie w czystości.',
    ),
  ],
  articles: [
    {
      id: 'dog-bed', category: 'Pets/Beds', gender: 'n', weight: 1.6, cost: [16, 41], materials: ['plush', 'cotton canvas', 'polyester'],
      noun: t('Orthopaedic Dog Bed', 'Orthopädisches Hundebett', 'Legowisko ortopedyczne dla psa'), sizes: areas([60, 45], [80, 60], [110, 80]),
      lead: t(
        'A bed with a raised edge to rest the head on and foam that spares old joints.',
        'Ein Bett mit erhöhtem Rand zum Anlehnen und einem Schaumkern, der alte Gelenke entlastet.',
        'Legowisko z podwyższonym brzegiem pod głowę i pianką, która odciąża stawy.',
      ),
      features: ['cover', 'slip', 'padded'],
    },
    {
      id: 'collar', category: 'Pets/Collars and Leads', gender: 'f', weight: 0.08, cost: [4, 14], materials: ['leather', 'nylon braid', 'recycled PET'],
      noun: t('Dog Collar', 'Hundehalsband', 'Obroża dla psa'), sizes: centimetres(35, 45, 55), colours: ['red', 'black', 'petrol', 'olive', 'brown'],
      lead: t(
        'A collar that lies softly and holds fast, with an eyelet for the tag.',
        'Ein Halsband, das weich anliegt und fest hält, mit einer Öse für die Marke.',
        'Obroża, która miękko przylega i pewnie trzyma, z kółkiem na identyfikator.',
      ),
      features: ['buckle', 'reflect', 'padded'],
    },
    {
      id: 'lead', category: 'Pets/Collars and Leads', gender: 'f', weight: 0.14, cost: [5, 16], materials: ['nylon braid', 'leather'],
      noun: t('Dog Lead', 'Hundeleine', 'Smycz dla psa'), sizes: metres(1.2, 2, 3), colours: ['red', 'black', 'petrol', 'olive', 'brown'],
      lead: t(
        'A lead that is pleasant to hold even when it is pulled.',
        'Eine Leine, die auch bei Zug angenehm in der Hand liegt.',
        'Smycz, którą wygodnie trzymać, nawet gdy pies mocno ciągnie.',
      ),
      features: ['reflect', 'padded'],
    },
    {
      id: 'scratching-post', category: 'Pets/Cat Furniture', gender: 'm', weight: 3.8, cost: [17, 39], materials: ['sisal', 'plush'],
      noun: t('Scratching Post', 'Kratzbaum', 'Drapak dla kota'), sizes: heights(60, 90, 140), colours: ['light grey', 'sand', 'anthracite'],
      lead: t(
        'Something to climb, scratch and doze on, so that the sofa stays whole.',
        'Zum Klettern, Kratzen und Dösen, damit das Sofa heil bleibt.',
        'Do wspinania się, drapania i drzemki – a kanapa pozostanie cała.',
      ),
      features: ['stable', 'padded'],
    },
    {
      id: 'bowl', category: 'Pets/Feeding', gender: 'f', weight: 0.4, cost: [4, 12], materials: ['stoneware', 'stainless steel'],
      noun: t('Pet Bowl', 'Futternapf', 'Miska na karmę'), sizes: litres(0.35, 0.9, 1.6), colours: ['cream', 'sage', 'black', 'terracotta'],
      lead: t(
        'A heavy bowl that does not wander across the kitchen floor.',
        'Ein schwerer Napf, der nicht durch die Küche wandert.',
        'Ciężka miska, która nie wędruje po kuchni.',
      ),
      features: ['slip', 'dishwasher'],
    },
    {
      id: 'fountain', category: 'Pets/Feeding', gender: 'f', weight: 0.9, cost: [15, 31], materials: ['stoneware', 'stainless steel', 'ABS plastic'],
      noun: t('Drinking Fountain', 'Haustier-Trinkbrunnen', 'Fontanna dla kota i psa'), sizes: litres(1.5, 2.5), colours: ['white', 'light grey', 'mint'],
      lead: t(
        'Running water that invites even lazy drinkers to drink.',
        'Fließendes Wasser, das auch trinkfaule Tiere zum Trinken verführt.',
        'Płynąca woda, która zachęca do picia nawet oporne zwierzaki.',
      ),
      features: ['quiet', 'clean'],
    },
    {
      id: 'carrier', category: 'Pets/Travel', gender: 'm', weight: 1.9, cost: [14, 33], materials: ['polypropylene', 'polyester'],
      noun: t('Pet Carrier', 'Transportbox', 'Transporter dla psa i kota'), sizes: centimetres(48, 55, 68),
      lead: t(
        'For a calm trip to the vet, with doors at the front and on top.',
        'Für den entspannten Weg zum Tierarzt, mit Türen vorn und oben.',
        'Na spokojną podróż do weterynarza, z drzwiczkami z przodu i od góry.',
      ),
      features: ['air', 'clean'],
    },
    {
      id: 'dog-coat', category: 'Pets/Clothing', gender: 'f', weight: 0.25, cost: [9, 24], materials: ['polyester', 'recycled PET'],
      noun: t('Rain Coat for Dogs', 'Hunderegenmantel', 'Kurtka przeciwdeszczowa dla psa'), sizes: named('S', 'M', 'L'),
      lead: t(
        'Keeps back and belly dry without hampering the run.',
        'Hält Rücken und Bauch trocken, ohne beim Laufen zu stören.',
        'Chroni grzbiet i brzuch przed deszczem, nie krępując ruchów.',
      ),
      features: ['reflect', 'buckle'],
    },
    {
      id: 'chew-rope', category: 'Pets/Toys', gender: 'm', weight: 0.2, cost: [2, 8], materials: ['cotton', 'jute'], colours: ['natural', 'petrol', 'red'],
      noun: t('Chew Rope', 'Kauseil', 'Sznur do gryzienia'), sizes: centimetres(30, 40, 60),
      lead: t(
        'Twisted tightly by hand, to tug, throw and chew.',
        'Von Hand fest gedreht, zum Zerren, Werfen und Kauen.',
        'Ręcznie skręcany, do szarpania, rzucania i gryzienia.',
      ),
      features: ['teeth'],
    },
  ],
})
