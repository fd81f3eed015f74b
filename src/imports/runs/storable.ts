/** A text that PostgreSQL takes: without NUL and half surrogate pairs, which files may have. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\ufffd')

/** JSON whose texts PostgreSQL takes; the text `null` for undefined. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each: unknown) => (typeof each === 'string' ? storable(each) : each))
