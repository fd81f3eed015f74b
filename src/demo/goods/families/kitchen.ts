import { family } from '../family.ts'
import { areas, centimetres, diameters, litres, sets } from '../sizes.ts'
import { t } from '../wording.ts'

/** Cookware, knives and what else a kitchen needs. */
export const KITCHEN = family({
  id: 'kitchen',
  brands: [
    { name: 'Almarett', style: 'plain', series: ['Linea', 'Prima', 'Forno', 'Terra'] },
    { name: 'Kernholt', style: 'plain', series: ['Basis', 'Meister', 'Duo', 'Puro'] },
    { name: 'Grovemoor', style: 'dash', series: ['Hearth', 'Orchard', 'Mill', 'Larder'] },
  ],
  palette: ['black', 'cream', 'sage', 'terracotta', 'light grey'],
  features: {
    dishwasher: t('Dishwasher safe', 'Spülmaschinengeeignet', 'Możliwość mycia w zmywarce'),
    induction: t('For all hobs, induction included', 'Für alle Herdarten, auch Induktion', 'Do wszystkich rodzajów kuchenek, również indukcyjnych'),
    handle: t('Handle that stays cool', 'Griff, der nicht heiß wird', 'Uchwyt, który się nie nagrzewa'),
    oven: t('Oven safe up to 240 °C', 'Backofenfest bis 240 °C', 'Odporność na temperaturę do 240 °C w piekarniku'),
    nonstick: t('Non-stick coating without PFOA', 'Antihaftbeschichtung ohne PFOA', 'Powłoka nieprzywierająca bez PFOA'),
    food: t('Food safe and neutral in taste', 'Lebensmittelecht und geschmacksneutral', 'Bezpieczeństwo w kontakcie z żywnością i neutralność dla smaku'),
    slip: t('Non-slip base', 'Rutschfeste Unterseite', 'Antypoślizgowy spód'),
    edge: t('Hand-finished edge that stays sharp', 'Von Hand abgezogene, schnitthaltige Klinge', 'Ręcznie ostrzona klinga, która długo pozostaje ostra'),
    rivets: t('Riveted handle', 'Genieteter Griff', 'Nitowany uchwyt'),
    off: t('Automatic switch-off', 'Abschaltautomatik', 'Automatyczne wyłączanie'),
    scale: t('Measuring scale inside', 'Messskala an der Innenseite', 'Podziałka po wewnętrznej stronie'),
  },
  closings: [
    t(
      'Part of the {series} collection by {brand}, which can be completed piece by piece.',
      'Teil der Kollektion {series} von {brand}, die sich Stück für Stück ergänzen lässt.',
      'Część kolekcji {series} marki {brand}, którą można uzupełniać element po elemencie.',
    ),
    t(
      'Made for daily use and just as handsome on the table.',
      'Für den täglichen Gebrauch gemacht und auch auf dem Tisch ein schöner Anblick.',
      'Do codziennego użytku, a przy tym ozdoba każdego stołu.',
    ),
    t(
      'A good choice for a first home and for a well-stocked kitchen alike.',
      'Eine gute Wahl für die erste eigene Wohnung und für die gut ausgestattete Küche.',
      'Dobry wybór zarówno do pierwszego mieszkania, jak i do dobrze wyposażonej kuchni.',
    ),
  ],
  articles: [
    {
      id: 'frying-pan', category: 'Kitchen/Cookware', gender: 'f', weight: 0.8, cost: [11, 27], materials: ['aluminium', 'stainless steel'],
      noun: t('Frying Pan', 'Bratpfanne', 'Patelnia'), sizes: diameters(20, 24, 28), colours: ['black', 'cream', 'sage'],
      lead: t(
        'A frying pan that heats evenly and lets go of eggs and pancakes without a struggle.',
        'Eine Bratpfanne, die gleichmäßig heiß wird und Eier wie Pfannkuchen mühelos freigibt.',
        'Patelnia, która równomiernie się nagrzewa, a jajka i naleśniki do niej nie przywierają.',
      ),
      features: ['induction', 'handle', 'nonstick'],
    },
    {
      id: 'casserole', category: 'Kitchen/Cookware', gender: 'm', weight: 3.4, cost: [31, 58], materials: ['cast iron'],
      noun: t('Cast-Iron Casserole', 'Gusseisen-Bräter', 'Garnek żeliwny'), sizes: litres(3.2, 4.7, 6.3),
      colours: ['cream', 'sage', 'burgundy', 'anthracite', 'petrol'],
      lead: t(
        'A heavy casserole for stews, roasts and bread, with a lid that keeps the juices in.',
        'Ein schwerer Bräter für Eintöpfe, Braten und Brot, dessen Deckel den Saft im Topf hält.',
        'Ciężki garnek do gulaszu, pieczeni i chleba, z pokrywą, która zatrzymuje soki w środku.',
      ),
      features: ['induction', 'oven'],
    },
    {
      id: 'saucepan', category: 'Kitchen/Cookware', gender: 'm', weight: 0.9, cost: [14, 29], materials: ['stainless steel'], colours: [],
      noun: t('Saucepan with Lid', 'Stielkasserolle mit Deckel', 'Rondel z pokrywką'), sizes: litres(1.2, 1.8, 2.4),
      lead: t(
        'For sauces, milk and porridge: with a pouring rim on either side and a lid that strains.',
        'Für Saucen, Milch und Porridge: mit Schüttrand auf beiden Seiten und einem Deckel zum Abgießen.',
        'Do sosów, mleka i owsianki: z rantem do nalewania po obu stronach i pokrywką do odcedzania.',
      ),
      features: ['induction', 'dishwasher', 'scale'],
    },
    {
      id: 'chefs-knife', category: 'Kitchen/Knives', gender: 'm', weight: 0.2, cost: [12, 46], materials: ['stainless steel', 'carbon steel'], colours: [],
      noun: t('Chef’s Knife', 'Kochmesser', 'Nóż szefa kuchni'), sizes: centimetres(16, 20, 24),
      lead: t(
        'A well-balanced knife for herbs, vegetables and meat that lies safely in the hand.',
        'Ein gut ausbalanciertes Messer für Kräuter, Gemüse und Fleisch, das sicher in der Hand liegt.',
        'Dobrze wyważony nóż do ziół, warzyw i mięsa, który pewnie leży w dłoni.',
      ),
      features: ['edge', 'rivets'],
    },
    {
      id: 'chopping-board', category: 'Kitchen/Chopping Boards', gender: 'f', weight: 1.1, cost: [9, 24], materials: ['oak', 'beech', 'bamboo'], colours: [],
      noun: t('Wooden Chopping Board', 'Schneidebrett aus Holz', 'Drewniana deska do krojenia'), sizes: areas([20, 30], [28, 40], [35, 50]),
      lead: t(
        'An oiled board with a juice groove that is kind to blades.',
        'Ein geöltes Brett mit Saftrille, das die Klingen schont.',
        'Olejowana deska z rowkiem na sok, która nie tępi noży.',
      ),
      features: ['food', 'slip'],
    },
    {
      id: 'kettle', category: 'Kitchen/Small Appliances', gender: 'm', weight: 1.2, cost: [19, 43], materials: ['stainless steel', 'borosilicate glass'],
      noun: t('Electric Kettle', 'Wasserkocher', 'Czajnik elektryczny'), colours: ['black', 'cream', 'silver', 'mint'],
      lead: t(
        'Boils water for seven cups of tea in four minutes and pours without dripping.',
        'Bringt Wasser für sieben Tassen Tee in vier Minuten zum Kochen und gießt, ohne zu tropfen.',
        'Zagotuje wodę na siedem filiżanek herbaty w cztery minuty i nalewa bez kapania.',
      ),
      features: ['off', 'handle', 'food'],
      has: { capacity_l: 1.7, power_w: 2200 },
    },
    {
      id: 'coffee-press', category: 'Kitchen/Coffee and Tea', gender: 'm', weight: 0.5, cost: [9, 23], materials: ['borosilicate glass'],
      noun: t('Coffee Press', 'Kaffeepresse', 'Zaparzacz tłokowy do kawy'), sizes: litres(0.35, 0.6, 1), colours: ['black', 'copper', 'silver', 'white'],
      lead: t(
        'Full-bodied coffee without paper filters: pour, wait four minutes, press.',
        'Vollmundiger Kaffee ohne Papierfilter: aufgießen, vier Minuten warten, Stempel herunterdrücken.',
        'Aromatyczna kawa bez papierowych filtrów: zalej, odczekaj cztery minuty i dociśnij tłok.',
      ),
      features: ['dishwasher', 'food'],
    },
    {
      id: 'mixing-bowl', category: 'Kitchen/Baking', gender: 'f', weight: 0.4, cost: [5, 13], materials: ['stainless steel', 'polypropylene'],
      noun: t('Mixing Bowl', 'Rührschüssel', 'Miska do wyrabiania ciasta'), sizes: litres(1.5, 2.5, 4),
      lead: t(
        'A deep bowl with a spout that stays put while you whisk.',
        'Eine tiefe Schüssel mit Ausgießer, die beim Rühren fest an ihrem Platz bleibt.',
        'Głęboka miska z dzióbkiem, która nie przesuwa się podczas ubijania.',
      ),
      features: ['slip', 'scale', 'dishwasher'],
    },
    {
      id: 'stoneware-mugs', category: 'Kitchen/Tableware', gender: 'p', weight: 0.7, cost: [8, 16], materials: ['stoneware'],
      noun: t('Stoneware Mugs', 'Steinzeugbecher', 'Kubki kamionkowe'), sizes: sets(2, 4, 6), has: { capacity_l: 0.35 },
      lead: t(
        'Glazed by hand, so no two mugs are quite alike.',
        'Von Hand glasiert, deshalb gleicht kein Becher ganz dem anderen.',
        'Ręcznie szkliwione, dlatego każdy kubek jest trochę inny.',
      ),
      features: ['dishwasher', 'food'],
    },
  ],
})
