import { family } from '../family.ts'
import { inches, metres, milliampereHours, packs, watts } from '../sizes.ts'
import { t } from '../wording.ts'

/** Electronics accessories. */
export const ELECTRONICS = family({
  id: 'electronics',
  brands: [
    { name: 'Ohmstett', style: 'plain', series: ['Arc', 'Ion', 'Flux', 'Nodum'] },
    { name: 'Voltaneo', style: 'dash', series: ['Corva', 'Linka', 'Pulsa', 'Tria'] },
    { name: 'Quillon', style: 'plain', series: ['Q1', 'Q2', 'Q3', 'Q5'] },
  ],
  palette: ['black', 'white', 'anthracite', 'navy', 'mint'],
  features: {
    fast: t('Charges at full speed', 'Schnellladefunktion', 'Szybkie ładowanie'),
    kink: t('Kink protection at both ends', 'Knickschutz an beiden Enden', 'Wzmocnione końcówki chroniące przed złamaniem'),
    safe: t('Protected against overheating and short circuits', 'Schutz vor Überhitzung und Kurzschluss', 'Zabezpieczenie przed przegrzaniem i zwarciem'),
    plug: t('Plug in and go, no driver needed', 'Einstecken und loslegen, ohne Treiber', 'Działa od razu po podłączeniu, bez sterowników'),
    slip: t('Non-slip rubber feet', 'Rutschfeste Gummifüße', 'Antypoślizgowe gumowe nóżki'),
    battery: t('Up to 30 hours on one charge', 'Bis zu 30 Stunden Laufzeit', 'Do 30 godzin pracy na jednym ładowaniu'),
    fold: t('Folds flat', 'Flach zusammenklappbar', 'Składanie na płasko'),
    mic: t('Built-in microphone', 'Eingebautes Mikrofon', 'Wbudowany mikrofon'),
    quiet: t('Quiet keys', 'Leiser Anschlag', 'Cicha praca'),
    splash: t('Splash-proof', 'Spritzwassergeschützt', 'Odporność na zachlapanie'),
    display: t('Display shows the remaining charge', 'Anzeige des Ladestands', 'Wskaźnik poziomu naładowania'),
  },
  closings: [
    t(
      'Tested with devices of all the usual makers; {brand} stands by {series} with a three-year guarantee.',
      'Mit Geräten aller gängigen Hersteller getestet; auf {series} gibt {brand} drei Jahre Garantie.',
      'Przetestowano z urządzeniami wszystkich popularnych producentów; na serię {series} marka {brand} daje trzy lata gwarancji.',
    ),
    t(
      'For the desk, the sofa and the journey.',
      'Für Schreibtisch, Sofa und unterwegs.',
      'Na biurko, na kanapę i w podróż.',
    ),
    t(
      'Comes in packaging without any plastic.',
      'Kommt in plastikfreier Verpackung.',
      'W opakowaniu bez plastiku.',
    ),
  ],
  articles: [
    {
      id: 'usb-c-cable', category: 'Electronics/Cables', gender: 'm', weight: 0.04, cost: [3, 8], materials: ['nylon braid', 'silicone'],
      noun: t('USB-C Charging Cable', 'USB-C-Ladekabel', 'Kabel do ładowania USB-C'), sizes: metres(1, 2, 3), has: { power_w: 100 },
      lead: t(
        'A cable for phone, tablet and laptop that survives being bent ten thousand times.',
        'Ein Kabel für Telefon, Tablet und Laptop, das zehntausendfaches Biegen übersteht.',
        'Kabel do telefonu, tabletu i laptopa, który wytrzymuje dziesięć tysięcy zgięć.',
      ),
      features: ['fast', 'kink'],
    },
    {
      id: 'wall-charger', category: 'Electronics/Chargers', gender: 'f', weight: 0.09, cost: [8, 17], materials: ['polycarbonate'],
      noun: t('USB-C Wall Charger', 'USB-C-Ladegerät', 'Ładowarka sieciowa USB-C'), sizes: watts(30, 65, 100), colours: ['black', 'white'],
      lead: t(
        'A small charger with enough power for two devices at once.',
        'Ein kleines Ladegerät mit genug Leistung für zwei Geräte gleichzeitig.',
        'Niewielka ładowarka o mocy wystarczającej dla dwóch urządzeń naraz.',
      ),
      features: ['fast', 'safe'],
    },
    {
      id: 'power-bank', category: 'Electronics/Power Banks', gender: 'm', weight: 0.21, cost: [11, 26], materials: ['aluminium', 'polycarbonate'],
      noun: t('Power Bank', 'Powerbank', 'Powerbank'), sizes: milliampereHours(10_000, 20_000), has: { power_w: 20 },
      lead: t(
        'Charges a phone twice and more and still fits into the jacket pocket.',
        'Lädt ein Telefon mindestens zweimal auf und passt trotzdem in die Jackentasche.',
        'Naładuje telefon co najmniej dwa razy, a mimo to zmieści się w kieszeni kurtki.',
      ),
      features: ['fast', 'display', 'safe'],
    },
    {
      id: 'charging-pad', category: 'Electronics/Chargers', gender: 'f', weight: 0.1, cost: [8, 19], materials: ['aluminium', 'cork', 'silicone'],
      noun: t('Wireless Charging Pad', 'Kabellose Ladestation', 'Ładowarka bezprzewodowa'), sizes: watts(10, 15),
      lead: t(
        'Lay the phone on it, and it charges, even through a case.',
        'Telefon auflegen, und schon lädt es, auch durch die Hülle hindurch.',
        'Wystarczy położyć telefon, by zaczął się ładować, nawet w etui.',
      ),
      features: ['slip', 'safe'],
    },
    {
      id: 'headphones', category: 'Electronics/Headphones', gender: 'p', weight: 0.24, cost: [22, 58], materials: ['ABS plastic', 'aluminium'],
      noun: t('Wireless Over-Ear Headphones', 'Kabellose Over-Ear-Kopfhörer', 'Bezprzewodowe słuchawki nauszne'),
      lead: t(
        'Full sound and soft cushions that do not press, even after hours.',
        'Voller Klang und weiche Polster, die auch nach Stunden nicht drücken.',
        'Pełne brzmienie i miękkie nauszniki, które nie uciskają nawet po wielu godzinach.',
      ),
      features: ['battery', 'mic', 'fold'],
      has: { battery_mah: 500 },
    },
    {
      id: 'speaker', category: 'Electronics/Speakers', gender: 'm', weight: 0.56, cost: [17, 41], materials: ['polyester', 'silicone'],
      noun: t('Portable Wireless Speaker', 'Tragbarer kabelloser Lautsprecher', 'Przenośny głośnik bezprzewodowy'), sizes: watts(10, 20, 30),
      lead: t(
        'Room-filling sound from a case no bigger than a drinking bottle.',
        'Raumfüllender Klang aus einem Gehäuse, kaum größer als eine Trinkflasche.',
        'Dźwięk wypełniający cały pokój, a obudowa nie większa niż bidon.',
      ),
      features: ['splash', 'mic'],
      has: { battery_mah: 3600 },
    },
    {
      id: 'mouse', category: 'Electronics/Mice and Keyboards', gender: 'f', weight: 0.09, cost: [7, 21], materials: ['ABS plastic', 'recycled PET'],
      noun: t('Ergonomic Wireless Mouse', 'Ergonomische Funkmaus', 'Ergonomiczna mysz bezprzewodowa'),
      lead: t(
        'A mouse shaped for the hand, with clicks one hardly hears.',
        'Eine Maus, die sich der Hand anpasst und deren Klicks kaum zu hören sind.',
        'Mysz dopasowana do kształtu dłoni, której kliknięć prawie nie słychać.',
      ),
      features: ['plug', 'quiet'],
    },
    {
      id: 'laptop-stand', category: 'Electronics/Stands', gender: 'f', weight: 0.7, cost: [11, 27], materials: ['aluminium', 'beech'], colours: ['silver', 'black', 'anthracite'],
      noun: t('Laptop Stand', 'Laptopständer', 'Podstawka pod laptopa'), sizes: inches(14, 16),
      lead: t(
        'Raises the screen to eye level and lets air reach the laptop from below.',
        'Hebt den Bildschirm auf Augenhöhe und lässt von unten Luft an den Laptop.',
        'Unosi ekran na wysokość oczu i zapewnia dopływ powietrza od spodu.',
      ),
      features: ['fold', 'slip'],
    },
    {
      id: 'usb-hub', category: 'Electronics/Adapters', gender: 'm', weight: 0.08, cost: [11, 29], materials: ['aluminium'], colours: ['silver', 'anthracite', 'black'],
      noun: t('7-in-1 USB-C Hub', 'USB-C-Hub 7-in-1', 'Hub USB-C 7 w 1'),
      lead: t(
        'Monitor, card reader, network and three more ports from a single socket.',
        'Monitor, Kartenleser, Netzwerk und weitere Anschlüsse an einer einzigen Buchse.',
        'Monitor, czytnik kart, sieć i kolejne porty z jednego gniazda.',
      ),
      features: ['plug', 'safe'],
    },
    {
      id: 'batteries', category: 'Electronics/Batteries', gender: 'p', weight: 0.11, cost: [6, 11], materials: ['stainless steel'], colours: [],
      noun: t('Rechargeable AA Batteries', 'AA-Akkus', 'Akumulatorki AA'), sizes: packs(4, 8, 12), has: { battery_mah: 2400 },
      lead: t(
        'Ready to use from the pack and good for a thousand charges.',
        'Sofort einsatzbereit und bis zu tausendmal wieder aufladbar.',
        'Gotowe do użycia od razu po wyjęciu z opakowania, wytrzymują do tysiąca ładowań.',
      ),
      features: ['safe'],
    },
  ],
})
