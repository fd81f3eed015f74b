import { measureOf } from './measure.ts'

/** A length in centimetres: plain decimal text, in centimetres unless a unit follows it (mm, cm, m, in, ft, yd). */
export const LENGTH = measureOf(
  [
    ['1', 'cm centimetre centimetres centimeter centimeters zentimeter'],
    ['0.1', 'mm millimetre millimetres millimeter millimeters'],
    ['100', 'm metre metres meter meters'],
    ['2.54', 'in inch inches zoll " \u2033'],
    ['30.48', 'ft foot feet'],
    ['91.44', 'yd yard yards'],
  ],
  'must be a length above 0 and below 1,000,000 cm such as "30", "300 mm" or "12 in", with at most 6 decimals',
)
