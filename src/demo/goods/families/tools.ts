import { family } from '../family.ts'
import { centimetres, elements, metres, sets } from '../sizes.ts'
import { t } from '../wording.ts'

/** Hand tools; most have no colour to choose. */
export const TOOLS = family({
  id: 'tools',
  brands: [
    { name: 'Stahlbrück', style: 'plain', series: ['Robust', 'Vario', 'Kraft', 'Zunft'] },
    { name: 'Ironmere', style: 'dash', series: ['Anvil', 'Forge', 'Trade', 'Rivet'] },
    { name: 'Tarvik', style: 'plain', series: ['T100', 'T200', 'T300', 'T500'] },
  ],
  palette: [],
  features: {
    grip: t('Two-component grip that does not slip', 'Rutschfester Zwei-Komponenten-Griff', 'Antypoślizgowy uchwyt dwukomponentowy'),
    rust: t('Protected against rust', 'Vor Rost geschützt', 'Ochrona przed rdzą'),
    case: t('In a case where everything has its place', 'Im Koffer, in dem alles seinen Platz hat', 'W walizce, w której wszystko ma swoje miejsce'),
    hardened: t('Hardened and tempered', 'Gehärtet und angelassen', 'Hartowana i odpuszczana stal'),
    marks: t('Markings that are easy to read and do not wear off', 'Gut lesbare, abriebfeste Markierungen', 'Czytelne oznaczenia odporne na ścieranie'),
    hang: t('Hole for hanging it up', 'Mit Öse zum Aufhängen', 'Otwór do zawieszania'),
    lock: t('Can be locked with a padlock', 'Mit Vorhängeschloss abschließbar', 'Możliwość zamknięcia na kłódkę'),
    magnet: t('Magnetic tips', 'Magnetische Spitzen', 'Magnetyczne końcówki'),
  },
  closings: [
    t(
      '{brand} gives a ten-year guarantee on the {series} series.',
      '{brand} gewährt auf die Serie {series} zehn Jahre Garantie.',
      'Na serię {series} marka {brand} udziela dziesięcioletniej gwarancji.',
    ),
    t(
      'For the workshop, the building site and the drawer at home.',
      'Für die Werkstatt, die Baustelle und die Schublade zu Hause.',
      'Do warsztatu, na budowę i do domowej szuflady.',
    ),
    t(
      'Solid quality that professionals rely on and that beginners soon value.',
      'Solide Qualität, auf die sich Profis verlassen und die Einsteiger schnell zu schätzen wissen.',
      'Solidna jakość, na której polegają fachowcy i którą szybko docenią początkujący.',
    ),
  ],
  articles: [
    {
      id: 'claw-hammer', category: 'Tools/Hammers', gender: 'm', weight: 0.66, cost: [8, 21], materials: ['carbon steel'],
      noun: t('Claw Hammer', 'Klauenhammer', 'Młotek ciesielski'), sizes: centimetres(28, 33),
      lead: t(
        'Drives nails straight and draws them again, with a handle that takes up the shock.',
        'Schlägt Nägel gerade ein und zieht sie wieder heraus, mit einem Stiel, der Schläge dämpft.',
        'Wbija gwoździe prosto i równie łatwo je wyciąga, a trzonek tłumi drgania.',
      ),
      features: ['grip', 'hardened', 'hang'],
    },
    {
      id: 'combination-pliers', category: 'Tools/Pliers', gender: 'p', weight: 0.24, cost: [9, 22], materials: ['chrome vanadium steel'],
      noun: t('Combination Pliers', 'Kombizange', 'Kombinerki'), sizes: centimetres(16, 18, 20),
      lead: t(
        'To hold, bend and cut: edges for soft and hard wire and a joint without play.',
        'Zum Greifen, Biegen und Trennen, mit Schneiden für weichen und harten Draht und spielfreiem Gelenk.',
        'Do chwytania, gięcia i cięcia: ostrza do miękkiego i twardego drutu oraz przegub bez luzów.',
      ),
      features: ['grip', 'hardened', 'rust'],
    },
    {
      id: 'screwdriver-set', category: 'Tools/Screwdrivers', gender: 'p', weight: 0.5, cost: [10, 24], materials: ['chrome vanadium steel'],
      noun: t('Screwdrivers', 'Schraubendreher', 'Wkrętaki'), sizes: sets(6, 8, 12),
      lead: t(
        'Slotted and cross-head blades in the sizes one really needs.',
        'Schlitz- und Kreuzklingen in den Größen, die man wirklich braucht.',
        'Końcówki płaskie i krzyżowe w rozmiarach, które naprawdę się przydają.',
      ),
      features: ['grip', 'magnet', 'hardened'],
    },
    {
      id: 'adjustable-spanner', category: 'Tools/Spanners', gender: 'm', weight: 0.3, cost: [8, 18], materials: ['chrome vanadium steel'],
      noun: t('Adjustable Spanner', 'Rollgabelschlüssel', 'Klucz nastawny'), sizes: centimetres(20, 25, 30),
      lead: t(
        'One spanner instead of ten: the jaw moves smoothly and holds its setting.',
        'Ein Schlüssel statt zehn: Die Backe läuft leicht und hält die eingestellte Weite.',
        'Jeden klucz zamiast dziesięciu: szczęka przesuwa się płynnie i utrzymuje ustawiony rozstaw.',
      ),
      features: ['rust', 'marks', 'hang'],
    },
    {
      id: 'hex-keys', category: 'Tools/Spanners', gender: 'p', weight: 0.4, cost: [6, 14], materials: ['chrome vanadium steel'],
      noun: t('Ball-End Hex Keys', 'Innensechskantschlüssel mit Kugelkopf', 'Klucze imbusowe z kulką'), sizes: sets(7, 9, 13),
      lead: t(
        'They reach screws at an angle of up to 25 degrees, where a straight key fails.',
        'Erreichen Schrauben noch in einem Winkel von bis zu 25 Grad, wo ein gerader Schlüssel versagt.',
        'Pozwalają dokręcać śruby pod kątem do 25 stopni, gdzie prosty klucz zawodzi.',
      ),
      features: ['hardened', 'marks', 'rust'],
    },
    {
      id: 'spirit-level', category: 'Tools/Measuring Tools', gender: 'f', weight: 0.35, cost: [9, 22], materials: ['aluminium'],
      noun: t('Spirit Level', 'Wasserwaage', 'Poziomica'), sizes: centimetres(40, 60, 100),
      lead: t(
        'Three vials and milled measuring faces for work that is truly level and plumb.',
        'Drei Libellen und gefräste Messflächen für wirklich waagerechte und lotrechte Arbeit.',
        'Trzy libelle i frezowane powierzchnie pomiarowe, dzięki którym praca wyjdzie równo w pionie i poziomie.',
      ),
      features: ['marks', 'hang'],
    },
    {
      id: 'tape-measure', category: 'Tools/Measuring Tools', gender: 'f', weight: 0.2, cost: [4, 11], materials: ['ABS plastic'],
      noun: t('Tape Measure', 'Rollbandmaß', 'Miara zwijana'), sizes: metres(3, 5, 8),
      lead: t(
        'A coated steel tape with a brake and an end hook that finds hold everywhere.',
        'Ein beschichtetes Stahlband mit Bremse und einem Endhaken, der überall Halt findet.',
        'Powlekana taśma stalowa z hamulcem i zaczepem, który trzyma się każdej krawędzi.',
      ),
      features: ['marks', 'grip'],
    },
    {
      id: 'toolbox', category: 'Tools/Tool Storage', gender: 'f', weight: 1.4, cost: [11, 25], materials: ['polypropylene', 'powder-coated steel'],
      noun: t('Toolbox', 'Werkzeugkasten', 'Skrzynka narzędziowa'), sizes: centimetres(40, 50, 60), colours: ['black', 'red', 'anthracite'],
      lead: t(
        'Room for heavy tools below and a tray for small parts above.',
        'Unten Platz für schweres Werkzeug, oben ein Einsatz für Kleinteile.',
        'Na dole miejsce na ciężkie narzędzia, na górze wkład na drobiazgi.',
      ),
      features: ['lock', 'rust'],
    },
    {
      id: 'hand-saw', category: 'Tools/Saws', gender: 'f', weight: 0.45, cost: [8, 19], materials: ['carbon steel'],
      noun: t('Hand Saw', 'Handsäge', 'Piła ręczna'), sizes: centimetres(40, 50),
      lead: t(
        'Teeth ground on three sides cut fast and clean, along the grain and across it.',
        'Dreiseitig geschliffene Zähne schneiden schnell und sauber, längs und quer zur Faser.',
        'Zęby szlifowane z trzech stron tną szybko i czysto, wzdłuż i w poprzek włókien.',
      ),
      features: ['grip', 'hardened', 'hang'],
    },
    {
      id: 'socket-set', category: 'Tools/Spanners', gender: 'm', weight: 3.2, cost: [38, 62], materials: ['chrome vanadium steel'],
      noun: t('1/4-Inch Socket Set', 'Steckschlüsselsatz 1/4 Zoll', 'Komplet kluczy nasadowych 1/4 cala'), sizes: elements(29, 46, 56),
      lead: t(
        'Sockets, bits and a ratchet with 72 teeth for cars, bicycles and furniture.',
        'Nüsse, Bits und eine Knarre mit 72 Zähnen für Auto, Fahrrad und Möbel.',
        'Nasadki, końcówki i grzechotka o 72 zębach do samochodu, roweru i mebli.',
      ),
      features: ['case', 'rust', 'marks'],
    },
  ],
})
