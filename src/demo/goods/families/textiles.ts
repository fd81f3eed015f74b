import { family } from '../family.ts'
import { areas, named, sets } from '../sizes.ts'
import { t } from '../wording.ts'

/** Home textiles. */
export const TEXTILES = family({
  id: 'textiles',
  brands: [
    { name: 'Lindenfaden', style: 'plain', series: ['Alba', 'Flora', 'Mira', 'Nora'] },
    { name: 'Tkalnia Zorza', style: 'plain', series: ['Jantar', 'Wisła', 'Bryza', 'Żuława'] },
    { name: 'Woolmere Mill', style: 'dash', series: ['Haven', 'Meadow', 'Dale', 'Shore'] },
  ],
  palette: ['white', 'cream', 'light grey', 'navy', 'sage', 'terracotta', 'dusty pink', 'mustard', 'petrol'],
  features: {
    wash60: t('Machine washable at 60 °C', 'Maschinenwaschbar bei 60 °C', 'Pranie w temperaturze do 60 °C'),
    wash30: t('Machine washable at 30 °C', 'Maschinenwaschbar bei 30 °C', 'Pranie w temperaturze do 30 °C'),
    dryer: t('May be tumble dried', 'Trocknergeeignet', 'Możliwość suszenia w suszarce'),
    iron: t('Needs no ironing', 'Bügelfrei', 'Bez prasowania'),
    zip: t('Concealed zip', 'Verdeckter Reißverschluss', 'Kryty zamek błyskawiczny'),
    elastic: t('Elastic all round, for mattresses up to 28 cm', 'Rundumgummi, für Matratzen bis 28 cm Höhe', 'Gumka dookoła, do materacy o wysokości do 28 cm'),
    loop: t('Loop for hanging', 'Mit Aufhänger', 'Wieszak z tasiemki'),
    soft: t('Pleasantly soft from the first wash', 'Angenehm weich ab der ersten Wäsche', 'Przyjemna miękkość już od pierwszego prania'),
    dye: t('Colours that last', 'Farbecht', 'Trwałe kolory'),
    hem: t('Neatly finished hems', 'Sauber verarbeitete Säume', 'Starannie wykończone brzegi'),
    slip: t('Non-slip underside', 'Rutschhemmende Rückseite', 'Antypoślizgowy spód'),
  },
  closings: [
    t(
      'Goes with everything else in the {series} collection by {brand}.',
      'Lässt sich mit allen Teilen der Kollektion {series} von {brand} kombinieren.',
      'Pasuje do pozostałych produktów z kolekcji {series} marki {brand}.',
    ),
    t(
      'Woven and sewn in small mills where every metre is looked at.',
      'Gewebt und genäht in kleinen Betrieben, in denen jeder Meter geprüft wird.',
      'Produkcja w niewielkich tkalniach, gdzie sprawdza się każdy metr tkaniny.',
    ),
    t(
      'Calm colours that go well together and do not tire the eye.',
      'Ruhige Farben, die gut zueinander passen und an denen man sich nicht sattsieht.',
      'Spokojne kolory, które dobrze się łączą i długo się nie nudzą.',
    ),
  ],
  articles: [
    {
      id: 'duvet-cover', category: 'Home Textiles/Bed Linen', gender: 'f', weight: 1.2, cost: [17, 44], materials: ['cotton', 'cotton sateen', 'linen'],
      noun: t('Bed Linen Set', 'Bettwäsche-Garnitur', 'Pościel'), sizes: areas([135, 200], [155, 220], [200, 220]),
      lead: t(
        'Duvet cover and pillowcase in a smooth weave that breathes in summer and warms in winter.',
        'Bettbezug und Kissenbezug aus glattem Gewebe, im Sommer luftig, im Winter wärmend.',
        'Poszwa i poszewka z gładkiej tkaniny, przewiewnej latem i ciepłej zimą.',
      ),
      features: ['wash60', 'dryer', 'zip', 'dye'],
    },
    {
      id: 'fitted-sheet', category: 'Home Textiles/Bed Linen', gender: 'n', weight: 0.5, cost: [7, 18], materials: ['cotton', 'organic cotton'],
      noun: t('Jersey Fitted Sheet', 'Jersey-Spannbettlaken', 'Prześcieradło z gumką z dżerseju'), sizes: areas([90, 200], [140, 200], [180, 200]),
      lead: t(
        'A stretchy sheet that goes on easily and stays where it is all night.',
        'Ein elastisches Laken, das sich leicht aufziehen lässt und die ganze Nacht sitzt.',
        'Elastyczne prześcieradło, które łatwo się zakłada i całą noc pozostaje na swoim miejscu.',
      ),
      features: ['elastic', 'iron', 'wash60'],
    },
    {
      id: 'towel', category: 'Home Textiles/Towels', gender: 'm', weight: 0.28, cost: [4, 10], materials: ['cotton terry', 'organic cotton'],
      noun: t('Towel', 'Handtuch', 'Ręcznik'), sizes: areas([50, 100], [70, 140], [100, 150]),
      lead: t(
        'A thick towel of 500 g/m² that dries well and dries quickly.',
        'Ein dichtes Handtuch mit 500 g/m², das gut abtrocknet und selbst schnell trocknet.',
        'Gruby ręcznik o gramaturze 500 g/m², który dobrze chłonie wodę i szybko schnie.',
      ),
      features: ['loop', 'soft', 'wash60', 'dryer'],
    },
    {
      id: 'cushion-cover', category: 'Home Textiles/Cushions', gender: 'f', weight: 0.16, cost: [5, 14], materials: ['linen', 'cotton', 'wool'],
      noun: t('Cushion Cover', 'Kissenhülle', 'Poszewka na poduszkę'), sizes: areas([40, 40], [50, 50], [40, 60]),
      lead: t(
        'A cover with a lively texture that freshens up sofa and armchair.',
        'Eine Hülle mit lebendiger Struktur, die Sofa und Sessel auffrischt.',
        'Poszewka o wyrazistej fakturze, która odświeży sofę i fotel.',
      ),
      features: ['zip', 'wash30', 'dye'],
    },
    {
      id: 'throw', category: 'Home Textiles/Throws', gender: 'm', weight: 0.9, cost: [13, 39], materials: ['wool', 'cotton', 'fleece'],
      noun: t('Throw', 'Wohndecke', 'Pled'), sizes: areas([130, 170], [150, 200]),
      lead: t(
        'A warm throw for cool evenings on the sofa or the balcony.',
        'Eine warme Decke für kühle Abende auf dem Sofa oder dem Balkon.',
        'Ciepły pled na chłodne wieczory na kanapie lub balkonie.',
      ),
      features: ['soft', 'wash30', 'hem'],
    },
    {
      id: 'tablecloth', category: 'Home Textiles/Table Linen', gender: 'm', weight: 0.4, cost: [9, 25], materials: ['linen', 'cotton'],
      noun: t('Tablecloth', 'Tischdecke', 'Obrus'), sizes: areas([100, 100], [140, 200], [140, 260]),
      lead: t(
        'A tablecloth with mitred corners that falls well and suits feast days and weekdays.',
        'Eine Tischdecke mit Briefecken, die schön fällt und zum Festtag wie zum Alltag passt.',
        'Obrus z rogami zszywanymi pod kątem, który ładnie się układa – od święta i na co dzień.',
      ),
      features: ['wash60', 'hem', 'dye'],
    },
    {
      id: 'curtain', category: 'Home Textiles/Curtains', gender: 'f', weight: 0.8, cost: [11, 28], materials: ['polyester', 'linen'],
      noun: t('Blackout Curtain with Eyelets', 'Verdunkelungsvorhang mit Ösen', 'Zasłona zaciemniająca na przelotkach'), sizes: areas([140, 175], [140, 245]),
      lead: t(
        'Keeps the light out and the warmth in, and hangs in even folds.',
        'Hält das Licht draußen und die Wärme drinnen und fällt in gleichmäßigen Falten.',
        'Nie przepuszcza światła, zatrzymuje ciepło i układa się w równe fałdy.',
      ),
      features: ['wash30', 'hem'],
    },
    {
      id: 'tea-towels', category: 'Home Textiles/Kitchen Linen', gender: 'p', weight: 0.15, cost: [4, 10], materials: ['cotton', 'linen'],
      noun: t('Tea Towels', 'Geschirrtücher', 'Ściereczki kuchenne'), sizes: sets(2, 4, 6),
      lead: t(
        'Lint-free tea towels that leave glasses clear.',
        'Fusselfreie Geschirrtücher, mit denen Gläser streifenfrei glänzen.',
        'Ściereczki, które nie zostawiają kłaczków, a szkło po nich lśni.',
      ),
      features: ['loop', 'wash60'],
    },
    {
      id: 'bathrobe', category: 'Home Textiles/Bathrobes', gender: 'm', weight: 1.1, cost: [21, 46], materials: ['cotton terry', 'organic cotton', 'fleece'],
      noun: t('Hooded Bathrobe', 'Bademantel mit Kapuze', 'Szlafrok z kapturem'), sizes: named('S', 'M', 'L', 'XL'),
      lead: t(
        'A soft bathrobe with deep pockets for after the bath, the sauna or a long day.',
        'Ein weicher Bademantel mit tiefen Taschen für die Zeit nach Bad, Sauna oder einem langen Tag.',
        'Miękki szlafrok z głębokimi kieszeniami – po kąpieli, saunie lub długim dniu.',
      ),
      features: ['soft', 'dryer', 'loop'],
    },
    {
      id: 'bath-mat', category: 'Home Textiles/Bath Mats', gender: 'm', weight: 0.6, cost: [7, 18], materials: ['cotton terry', 'polyester'],
      noun: t('Bath Mat', 'Badematte', 'Dywanik łazienkowy'), sizes: areas([50, 80], [60, 100]),
      lead: t(
        'Soft and thick under bare feet and quick to dry.',
        'Weich und dicht unter nackten Füßen und schnell wieder trocken.',
        'Miękki i puszysty pod bosymi stopami, a przy tym szybko schnie.',
      ),
      features: ['slip', 'wash60'],
    },
  ],
})
