// A supplier's price list, as its server returns it.

/** The number of hammers in the list. */
export const ROWS = 520
/** How many of the first hammers have no picture. */
export const WITHOUT_IMAGE = 6
const HEAD = 'Artikelnummer;Bezeichnung;Hersteller;Warengruppe;EK-Preis;Bestand;EAN;Bild'
/** The same article under two numbers: two products until the merchant merges them. */
const TWINS = [
  'W-125;Winkelschleifer 125 mm;Bosch;Elektro;48,00;4;;https://img.example/w.jpg',
  'W125;Winkelschleifer;Bosch;Elektro;49,00;2;;https://img.example/w.jpg',
]

/** A row of the supplier's price list. */
export function line(i: number, cost = `${10 + (i % 40)},50`): string {
  const number = String(i).padStart(4, '0')
  const image = i < WITHOUT_IMAGE ? '' : `https://img.example/${number}.jpg`
  return `N-${number};Hammer ${number};${i % 2 === 0 ? 'Bosch' : 'Makita'};Werkzeug/Hand;${cost};${i % 9};${ean(i)};${image}`
}

function ean(i: number): string {
  const digits = `400${String(i).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** A file of such rows. */
export const list = (lines: readonly string[]) => [HEAD, ...lines].map((one) => `${one}\r\n`).join('')
export const LIST = [...Array.from({ length: ROWS }, (_, i) => line(i)), ...TWINS]
