import { family } from '../family.ts'
import { diameters, heights, metres, packs, sets, watts } from '../sizes.ts'
import { t } from '../wording.ts'

/** Lamps and light sources. */
export const LIGHTING = family({
  id: 'lighting',
  brands: [
    { name: 'Hellmora', style: 'plain', series: ['Nox', 'Lyra', 'Vega', 'Orion'] },
    { name: 'Lystad', style: 'plain', series: ['Glim', 'Skinne', 'Måne', 'Stråle'] },
    { name: 'Wickery', style: 'brackets', series: ['Ember', 'Dusk', 'Beacon', 'Hollow'] },
  ],
  palette: ['black', 'white', 'brass', 'sage', 'light grey'],
  features: {
    dim: t('Dims smoothly', 'Stufenlos dimmbar', 'Płynna regulacja natężenia światła'),
    socket: t('E27 socket, bulb not included', 'E27-Fassung, Leuchtmittel nicht enthalten', 'Gwint E27, żarówka do nabycia osobno'),
    life: t('25,000 hours of service life', '25.000 Stunden Lebensdauer', 'Trwałość 25 000 godzin'),
    warm: t('Warm white light', 'Warmweißes Licht', 'Ciepłobiałe światło'),
    splash: t('Splash-proof to IP44', 'Spritzwassergeschützt nach IP44', 'Ochrona przed zachlapaniem IP44'),
    timer: t('Timer for six hours of light a day', 'Timer für sechs Stunden Licht am Tag', 'Wyłącznik czasowy: sześć godzin świecenia na dobę'),
    mount: t('Screws and wall plugs included', 'Schrauben und Dübel im Lieferumfang', 'Śruby i kołki w zestawie'),
    swivel: t('Head can be turned and tilted', 'Kopf dreh- und neigbar', 'Głowica obracana i odchylana'),
    cable: t('Textile cable with a switch', 'Textilkabel mit Schalter', 'Przewód w oplocie tekstylnym z włącznikiem'),
    flicker: t('Does not flicker', 'Flimmerfreies Licht', 'Światło bez migotania'),
  },
  closings: [
    t(
      'With the {series} series {brand} brings calm light into the room.',
      'Mit der Serie {series} bringt {brand} ruhiges Licht in den Raum.',
      'Serią {series} marka {brand} wprowadza do wnętrza spokojne światło.',
    ),
    t(
      'Plain lines that suit old and new furniture alike.',
      'Schlichte Linien, die zu alten wie zu neuen Möbeln passen.',
      'Proste linie, które pasują zarówno do starych, jak i do nowych mebli.',
    ),
    t(
      'Light that is easy on the eyes and on the electricity bill.',
      'Licht, das die Augen und die Stromrechnung schont.',
      'Światło przyjazne dla oczu i dla rachunku za prąd.',
    ),
  ],
  articles: [
    {
      id: 'table-lamp', category: 'Lighting/Table Lamps', gender: 'f', weight: 1.3, cost: [17, 42], materials: ['powder-coated steel', 'stoneware', 'glass'],
      noun: t('Table Lamp', 'Tischleuchte', 'Lampa stołowa'), sizes: heights(32, 45),
      lead: t(
        'A table lamp for the sideboard or the bedside that casts a soft pool of light.',
        'Eine Tischleuchte für Sideboard oder Nachttisch, die einen weichen Lichtkreis wirft.',
        'Lampa stołowa na komodę lub szafkę nocną, która rzuca miękki krąg światła.',
      ),
      features: ['socket', 'cable'],
    },
    {
      id: 'pendant', category: 'Lighting/Pendant Lights', gender: 'f', weight: 1.6, cost: [22, 49], materials: ['powder-coated steel', 'glass', 'bamboo'],
      noun: t('Pendant Light', 'Pendelleuchte', 'Lampa wisząca'), sizes: diameters(25, 35, 45),
      lead: t(
        'A pendant light over the dining table, with a cord that can be shortened to fit.',
        'Eine Pendelleuchte über dem Esstisch, deren Kabel sich nach Bedarf kürzen lässt.',
        'Lampa wisząca nad stół w jadalni, z przewodem, który można skrócić do potrzebnej długości.',
      ),
      features: ['socket', 'mount'],
    },
    {
      id: 'floor-lamp', category: 'Lighting/Floor Lamps', gender: 'f', weight: 4.2, cost: [38, 79], materials: ['powder-coated steel', 'oak'],
      noun: t('Floor Lamp', 'Stehleuchte', 'Lampa podłogowa'), has: { height_cm: 152, power_w: 12 },
      lead: t(
        'A slim floor lamp for the reading corner that stands firmly on its heavy foot.',
        'Eine schlanke Stehleuchte für die Leseecke, die dank ihres schweren Fußes sicher steht.',
        'Smukła lampa podłogowa do kącika czytelniczego, która dzięki ciężkiej podstawie stoi stabilnie.',
      ),
      features: ['dim', 'warm', 'cable'],
    },
    {
      id: 'desk-lamp', category: 'Lighting/Desk Lamps', gender: 'f', weight: 1.1, cost: [19, 44], materials: ['aluminium', 'ABS plastic'],
      noun: t('LED Desk Lamp', 'LED-Schreibtischleuchte', 'Lampka biurkowa LED'), has: { power_w: 9, luminous_flux_lm: 650 },
      lead: t(
        'Even light without glare for homework and the home office.',
        'Gleichmäßiges, blendfreies Licht für Hausaufgaben und Homeoffice.',
        'Równomierne światło, które nie oślepia – do odrabiania lekcji i pracy w domu.',
      ),
      features: ['dim', 'swivel', 'flicker'],
    },
    {
      id: 'wall-light', category: 'Lighting/Outdoor Lighting', gender: 'm', weight: 0.9, cost: [16, 37], materials: ['aluminium', 'stainless steel'],
      noun: t('Outdoor Wall Light', 'Außenwandleuchte', 'Kinkiet zewnętrzny'), colours: ['black', 'anthracite', 'white', 'silver'],
      has: { power_w: 8, color_temperature_k: 3000, height_cm: 24 },
      lead: t(
        'Lights the way to the door, upwards and downwards.',
        'Weist den Weg zur Haustür und strahlt nach oben wie nach unten.',
        'Oświetla drogę do drzwi, świecąc w górę i w dół.',
      ),
      features: ['splash', 'mount', 'warm'],
    },
    {
      id: 'led-bulbs', category: 'Lighting/Bulbs', gender: 'p', weight: 0.12, cost: [5, 9], materials: ['glass', 'polycarbonate'], colours: [],
      noun: t('E27 LED Bulbs', 'LED-Lampen E27', 'Żarówki LED E27'), sizes: packs(3, 6, 10),
      lead: t(
        'At 8 watts these bulbs are as bright as an old 60-watt bulb, from the first second.',
        'Mit 8 Watt so hell wie eine alte 60-Watt-Glühlampe, und das ab der ersten Sekunde.',
        'Przy mocy 8 watów świecą tak jasno jak tradycyjna żarówka 60-watowa, i to od pierwszej sekundy.',
      ),
      features: ['warm', 'life', 'flicker'],
      has: { power_w: 8, luminous_flux_lm: 806, color_temperature_k: 2700 },
    },
    {
      id: 'string-lights', category: 'Lighting/Decorative Lighting', gender: 'f', weight: 0.4, cost: [8, 16], materials: ['polycarbonate', 'glass'], colours: [],
      noun: t('Outdoor String Lights', 'Lichterkette für außen', 'Girlanda świetlna ogrodowa'), sizes: metres(5, 10, 20),
      lead: t(
        'For balcony, pergola and summer party, and just as pretty at Christmas.',
        'Für Balkon, Pergola und Sommerfest und an Weihnachten genauso schön.',
        'Na balkon, pergolę i letnie przyjęcie, a w święta równie piękna.',
      ),
      features: ['warm', 'splash', 'timer'],
    },
    {
      id: 'solar-lights', category: 'Lighting/Outdoor Lighting', gender: 'p', weight: 0.5, cost: [9, 19], materials: ['stainless steel', 'ABS plastic'],
      noun: t('Solar Path Lights', 'Solar-Wegeleuchten', 'Lampy solarne ogrodowe'), sizes: sets(2, 4, 6), colours: ['black', 'silver', 'copper'],
      lead: t(
        'They charge by day and switch themselves on at dusk, without a single cable.',
        'Sie laden tagsüber und schalten sich in der Dämmerung von selbst ein, ganz ohne Kabel.',
        'W dzień się ładują, a o zmierzchu włączają się same – bez żadnych kabli.',
      ),
      features: ['splash', 'warm'],
    },
    {
      id: 'ceiling-light', category: 'Lighting/Ceiling Lights', gender: 'm', weight: 1.2, cost: [18, 39], materials: ['polycarbonate', 'glass'],
      noun: t('LED Ceiling Light', 'LED-Deckenleuchte', 'Plafon LED'), sizes: watts(12, 18, 24), colours: ['white', 'black', 'silver'],
      lead: t(
        'A flat ceiling light that fills hall, kitchen or bathroom with even brightness.',
        'Eine flache Deckenleuchte, die Flur, Küche oder Bad gleichmäßig ausleuchtet.',
        'Płaski plafon, który równomiernie oświetla przedpokój, kuchnię lub łazienkę.',
      ),
      features: ['splash', 'mount', 'life'],
      has: { color_temperature_k: 3000 },
    },
  ],
})
