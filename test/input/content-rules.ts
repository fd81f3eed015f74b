import { CONTENT_UNITS } from '../../contract/content-units.ts'

const CONTENT = `must be a quantity above 0 with its unit such as "750 ml" or "6 x 0.33 l", with at most 9 digits before the decimal point and 6 after it; units: ${CONTENT_UNITS.join(', ')}`
const NONE = '0 in a file is no content'
const KEPT = 'a file’s content that is not understood is kept as it is stated'

/** Input rules for the contents of packages. */
export const CONTENTS = {
  kind: 'Content',
  without: { command: 'offers and products have no commands' },
  lines: [
    { given: '750 ml', stored: '750 ml' },
    { given: '6x0.330 L', stored: '6 x 0.33 l' },
    { given: '2 Stück', stored: '2 piece' },
    { given: '12 fl. oz.', stored: '12 fl oz' },
    { given: null, stored: null },
    { given: '', stored: null },
    { given: '0 ml', fault: CONTENT, but: { csv: NONE, ndjson: NONE } },
    { given: '750', fault: CONTENT, but: { csv: KEPT, ndjson: KEPT } },
    { given: '3 barrels', fault: CONTENT, but: { csv: KEPT, ndjson: KEPT } },
    { given: 750, fault: 'must be a string', but: { ndjson: KEPT } },
  ],
}
