import { family } from '../family.ts'
import { areas, centimetres, diameters, kilogramPairs, kilograms, litres, metres, sets } from '../sizes.ts'
import { t } from '../wording.ts'

/** Sports and fitness at home. */
export const FITNESS = family({
  id: 'fitness',
  brands: [
    { name: 'Kraftum', style: 'plain', series: ['Basal', 'Flexa', 'Balans', 'Kern'] },
    { name: 'Formisko', style: 'dash', series: ['Aktiv', 'Rytm', 'Forma', 'Skok'] },
    { name: 'Leaptide', style: 'plain', series: ['Surge', 'Tempo', 'Lift', 'Stride'] },
  ],
  palette: ['black', 'anthracite', 'petrol', 'dusty pink', 'sage', 'navy'],
  features: {
    slip: t('Non-slip on both sides', 'Beidseitig rutschfest', 'Antypoślizgowe obie strony'),
    strap: t('Carry strap included', 'Tragegurt im Lieferumfang', 'Pasek do przenoszenia w zestawie'),
    skin: t('Pleasant to the skin, no smell', 'Hautfreundlich und geruchsneutral', 'Przyjazność dla skóry, bez zapachu'),
    wipe: t('Easy to wipe clean', 'Leicht abwischbar', 'Łatwe czyszczenie'),
    floor: t('Kind to the floor', 'Schont den Boden', 'Ochrona podłogi'),
    grip: t('Secure grip, even with damp hands', 'Sicherer Griff, auch mit feuchten Händen', 'Pewny chwyt nawet wilgotną dłonią'),
    poster: t('Exercise sheet included', 'Übungsanleitung im Lieferumfang', 'Plansza z ćwiczeniami w zestawie'),
    bpa: t('Free of BPA', 'BPA-frei', 'Bez BPA'),
    pump: t('Hand pump included', 'Handpumpe im Lieferumfang', 'Pompka ręczna w zestawie'),
    fast: t('Dries quickly', 'Schnell trocknend', 'Krótki czas schnięcia'),
  },
  closings: [
    t(
      'With {series} by {brand} the living room becomes a gym.',
      'Mit {series} von {brand} wird das Wohnzimmer zum Fitnessstudio.',
      'Z serią {series} marki {brand} salon zamienia się w siłownię.',
    ),
    t(
      'A good choice for beginners and the advanced alike.',
      'Für Einsteiger geeignet und auch für Fortgeschrittene die richtige Wahl.',
      'Dobry wybór dla początkujących i zaawansowanych.',
    ),
    t(
      'For training at home, in the park and in the studio.',
      'Für das Training zu Hause, im Park und im Studio.',
      'Do treningu w domu, w parku i w klubie.',
    ),
  ],
  articles: [
    {
      id: 'yoga-mat', category: 'Fitness/Yoga', gender: 'f', weight: 1.0, cost: [9, 29], materials: ['TPE', 'natural rubber', 'cork'],
      noun: t('Yoga Mat', 'Yogamatte', 'Mata do jogi'), sizes: areas([61, 183], [66, 200]),
      lead: t(
        'A mat that holds hands and feet where they are and cushions the joints.',
        'Eine Matte, die Händen und Füßen Halt gibt und die Gelenke polstert.',
        'Mata, która zapewnia dłoniom i stopom stabilne oparcie i chroni stawy.',
      ),
      features: ['slip', 'strap', 'skin'],
    },
    {
      id: 'dumbbells', category: 'Fitness/Weights', gender: 'm', weight: 4, cost: [6, 10], materials: ['cast iron'],
      noun: t('Pair of Dumbbells', 'Kurzhantel-Paar', 'Zestaw dwóch hantli'), sizes: kilogramPairs(2, 4, 6, 10), colours: ['black', 'petrol', 'dusty pink', 'sage'],
      lead: t(
        'Two dumbbells with a soft coating and six edges, so that they do not roll away.',
        'Zwei Hanteln mit weicher Beschichtung und sechs Kanten, damit sie nicht wegrollen.',
        'Dwie hantle z miękką powłoką i sześcioma krawędziami, dzięki którym się nie toczą.',
      ),
      features: ['grip', 'floor'],
    },
    {
      id: 'kettlebell', category: 'Fitness/Weights', gender: 'm', weight: 4, cost: [9, 16], materials: ['cast iron'],
      noun: t('Kettlebell', 'Kettlebell', 'Odważnik kettlebell'), sizes: kilograms(4, 8, 12, 16), colours: ['black', 'anthracite', 'petrol'],
      lead: t(
        'Cast in one piece, with a wide handle for swings with both hands.',
        'Aus einem Guss, mit breitem Griff für beidhändige Schwünge.',
        'Odlew z jednego kawałka, z szerokim uchwytem do ćwiczeń oburącz.',
      ),
      features: ['grip', 'floor'],
    },
    {
      id: 'bands', category: 'Fitness/Resistance Bands', gender: 'p', weight: 0.12, cost: [4, 10], materials: ['latex', 'TPE'], colours: [],
      noun: t('Resistance Bands', 'Fitnessbänder', 'Taśmy oporowe'), sizes: sets(3, 5, 6),
      lead: t(
        'From easy to demanding: each band has a resistance of its own.',
        'Von leicht bis fordernd: Jedes Band hat seinen eigenen Widerstand.',
        'Od lekkich po wymagające: każda taśma stawia inny opór.',
      ),
      features: ['skin', 'poster'],
    },
    {
      id: 'foam-roller', category: 'Fitness/Massage', gender: 'm', weight: 0.3, cost: [6, 15], materials: ['EVA foam', 'cork'],
      noun: t('Foam Roller', 'Faszienrolle', 'Wałek do masażu'), sizes: centimetres(33, 45, 60),
      lead: t(
        'Loosens tired muscles after running, training or a day at the desk.',
        'Lockert müde Muskeln nach dem Laufen, dem Training oder einem Tag am Schreibtisch.',
        'Rozluźnia zmęczone mięśnie po bieganiu, treningu lub dniu za biurkiem.',
      ),
      features: ['wipe', 'poster'],
    },
    {
      id: 'gym-ball', category: 'Fitness/Balance', gender: 'f', weight: 0.9, cost: [6, 14], materials: ['PVC'],
      noun: t('Exercise Ball', 'Gymnastikball', 'Piłka gimnastyczna'), sizes: diameters(55, 65, 75),
      lead: t(
        'For back exercises and upright sitting; bears up to 150 kg.',
        'Für Rückenübungen und aufrechtes Sitzen, belastbar bis 150 kg.',
        'Do ćwiczeń wzmacniających plecy i do aktywnego siedzenia; wytrzymuje obciążenie do 150 kg.',
      ),
      features: ['pump', 'wipe'],
    },
    {
      id: 'skipping-rope', category: 'Fitness/Cardio', gender: 'f', weight: 0.18, cost: [4, 13], materials: ['PVC', 'natural rubber'], colours: ['black', 'red', 'mint'],
      noun: t('Skipping Rope', 'Springseil', 'Skakanka'), sizes: metres(2.5, 3),
      lead: t(
        'A rope on ball bearings that turns evenly and never tangles.',
        'Ein kugelgelagertes Seil, das gleichmäßig läuft und sich nicht verheddert.',
        'Skakanka na łożyskach kulkowych, która obraca się równo i się nie plącze.',
      ),
      features: ['grip'],
    },
    {
      id: 'sports-towel', category: 'Fitness/Accessories', gender: 'm', weight: 0.12, cost: [4, 11], materials: ['recycled PET', 'cotton terry'],
      noun: t('Sports Towel', 'Sporthandtuch', 'Ręcznik sportowy'), sizes: areas([40, 80], [50, 100], [70, 140]),
      lead: t(
        'A thin towel that takes up much and rolls up small.',
        'Ein dünnes Handtuch, das viel aufnimmt und sich klein zusammenrollen lässt.',
        'Cienki ręcznik, który dużo chłonie, a po zwinięciu zajmuje mało miejsca.',
      ),
      features: ['fast', 'skin'],
    },
    {
      id: 'drinking-bottle', category: 'Fitness/Bottles', gender: 'f', weight: 0.3, cost: [7, 18], materials: ['stainless steel'],
      noun: t('Insulated Drinking Bottle', 'Isolier-Trinkflasche', 'Butelka termiczna'), sizes: litres(0.5, 0.75, 1),
      lead: t(
        'Keeps drinks cold for 24 hours and hot for twelve, and stays dry outside.',
        'Hält Getränke 24 Stunden kalt oder zwölf Stunden heiß und bleibt außen trocken.',
        'Utrzymuje napoje zimne przez 24 godziny, a gorące przez dwanaście, i nie rosi się z zewnątrz.',
      ),
      features: ['bpa', 'wipe'],
    },
  ],
})
