import { CONTENT_UNITS, type ContentUnit } from '../../contract/content-units.ts'
import { isContentUnit } from '../model/net-content.ts'
import { readDecimal } from './decimal.ts'
import { actualValueSuffix, type Verdict } from './verdict.ts'

const MUST_BE = `must be a quantity above 0 with its unit such as "750 ml" or "6 x 0.33 l", with at most 9 digits before the decimal point and 6 after it; units: ${CONTENT_UNITS.join(', ')}`

/** Names of the units by people and standards, in lower case without points; they include the UN/ECE codes, which BMEcat uses. */
const WORDS: Readonly<Record<ContentUnit, string>> = {
  mg: 'mgm milligram milligrams milligramm milligramme miligram мг',
  g: 'gr grm gram grams gramm grammes gramme gramos gramo grammi grammo gramów gramy г гр',
  kg: 'kgs kgm kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos кг',
  t: 'tne tonne tonnes tonnen',
  oz: 'onz ounce ounces',
  lb: 'lbs lbr pound pounds',
  ml: 'mlt millilitre millilitres milliliter milliliters mililitr mililitros мл',
  cl: 'clt centilitre centilitres centiliter centiliters zentiliter',
  dl: 'dlt decilitre decilitres deciliter deciliters deziliter',
  l: 'lt ltr ltrs litre litres liter liters litr litry litrów litro litros litri л',
  m3: 'mtq cbm m³ м³ м3 kubikmeter',
  'fl oz': 'floz fluid-ounce fluid-ounces oza',
  pt: 'pint pints pti ptl',
  qt: 'quart quarts qts qtl',
  gal: 'gallon gallons gll',
  mm: 'mmt millimetre millimetres millimeter millimeters мм',
  cm: 'cmt centimetre centimetres centimeter centimeters zentimeter см',
  m: 'mtr metre metres meter meters lfm lm metr metry metrów metro metros м',
  km: 'kmt kilometre kilometres kilometer kilometers',
  in: 'inh inch inches zoll',
  ft: 'fot foot feet',
  yd: 'yrd yard yards',
  cm2: 'cmk cm² qcm sqcm',
  m2: 'mtk m² qm sqm м² м2 quadratmeter',
  'sq ft': 'sqft ftk ft² ft2 square-foot square-feet',
  piece:
    'pieces pc pcs pce st stk stck stück stücke stueck szt sztuk sztuka sztuki ea each ct count item items c62 pièce pièces pza pieza piezas ud uds unidad unidades pz pezzo pezzi stuk stuks ks kus kusů db kpl шт adet sheet sheets',
}
const UNIT_OF = new Map(
  Object.entries(WORDS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit as ContentUnit])),
)

/** The unit that a word means, in any letter case; undefined if none. */
function contentUnitOf(word: string): ContentUnit | undefined {
  const plain = word.toLowerCase().replaceAll('.', '').trim().replace(/ {2,}/g, ' ')
  return isContentUnit(plain) ? plain : UNIT_OF.get(plain.replaceAll(' ', '-'))
}

const WRITTEN = /^(?:(\d{1,6}) ?[x\u00d7*] ?)?(\d[\d.]{0,30}) ?([\p{L}][\p{L}\d. \u00b2\u00b3]{0,19})$/iu

/**
 * Reads the content of a package: a plain decimal with its unit, preceded by the number of parts if there are several. @returns canonical text, `750
 * ml` or `6 x 0.33 l`.
 */
export function readNetContent(text: string): Verdict<string> {
  const [, parts = '1', digits = '', word = ''] = WRITTEN.exec(text) ?? []
  const count = readDecimal(parts, { whole: 6, fraction: 0, min: '0' })
  const amount = readDecimal(digits, { whole: 9, fraction: 6, min: '0' })
  const unit = contentUnitOf(word)
  if ('reason' in count || 'reason' in amount || count.value === '0' || amount.value === '0' || unit === undefined)
    return { reason: `${MUST_BE}${actualValueSuffix(text)}` }
  return { value: `${count.value === '1' ? '' : `${count.value} x `}${amount.value} ${unit}` }
}
