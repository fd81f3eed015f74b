/** Net contents of offers, and reference quantities of unit prices. The last of each cannot be read. */
export const CONTENTS = [
  '750 ml',
  '6 x 0.33 l',
  '1 kg',
  '12 oz',
  '3 piece',
  '0.000001 mg',
  '2.5 m3',
  '999999999 t',
  'a few',
] as const
export const REFERENCES = ['100 g', '100 ml', '0.5 l', '1 piece', '1 m2', 'a few'] as const
